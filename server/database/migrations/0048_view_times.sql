-- How long lists took, by view and day: how many fell into each bucket of time. `wanted` names the field whose index would
-- have helped; empty where none would. Written in batches by every process, kept for a little more than a week.
create table core__view_times (
  organization_id bigint not null,
  day date not null,
  record_type text not null,
  -- Empty: lists that name their own fields or groups.
  view text not null,
  bucket smallint not null,
  wanted text not null,
  lists bigint not null,
  primary key (organization_id, day, record_type, view, bucket, wanted)
);
