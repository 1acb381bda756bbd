-- Indexes that the service asks for by itself. Whether one is used is looked at every hour: `scans` is what the database had counted
-- then, `idle_days` on how many days in a row (of those on which the service ran) nothing was added to it.
alter table metadata__indexes
  add column automatic boolean not null default false,
  add column scans text,
  add column idle_days integer not null default 0,
  add column looked date not null default ((now() at time zone 'utc')::date);

-- How often people lacked an index on a day, when the service last asked for it by itself, and when it was last removed.
create table metadata__index_wishes (
  record_type text not null,
  field text not null,
  day date not null default ((now() at time zone 'utc')::date),
  wishes integer not null default 0,
  requested timestamp(0),
  refused timestamp(0),
  primary key (record_type, field)
);
