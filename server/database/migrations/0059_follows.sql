-- Who follows which record: they are told of comments, stages and changes by others while they may read it.
create table core__follows (
  organization_id bigint not null,
  record_type text not null,
  record_id text not null,
  user_id bigint not null,
  primary key (organization_id, record_type, record_id, user_id)
);

create index core__follows_user on core__follows (organization_id, user_id);
