-- A person's favorite records and views in their order, each as <module>/<controller>/<id>. A view is a record of core/listviews.
create table core__favorites (
  organization_id bigint not null,
  user_id bigint not null,
  keys text[] not null,
  primary key (organization_id, user_id)
);
