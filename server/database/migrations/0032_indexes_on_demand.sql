-- Indexes of record types that designers asked for, beside those that the definitions name. Built and removed in the
-- background without keeping writers waiting; planning uses those that are ready.
create table metadata__indexes (
  record_type text not null,
  field text not null,
  state text not null default 'building' check (state in ('building', 'ready', 'failed', 'removing')),
  failure text,
  requested timestamp(0) not null default (now() at time zone 'utc'),
  primary key (record_type, field)
);
