-- Record types whose shipped form an organization was given: it is not given again, whatever was done with it.
create table core__given_forms (
  organization_id bigint not null,
  controller text not null,
  primary key (organization_id, controller)
);
