-- What each design that was applied has changed, with how everything was before: to go back by.
create table metadata__design_applies (
  organization_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  user_id bigint,
  applied timestamp(0) not null default (now() at time zone 'utc'),
  rolled_back timestamp(0),
  items jsonb not null,
  primary key (organization_id, id)
);
