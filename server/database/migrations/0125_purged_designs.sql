-- What a removed field has written elsewhere, by ids: those after the earlier field of its name that was removed, up to those of the moment
-- it was removed itself. Another field may have its name before, between and after.
alter table metadata__removed
  -- purged: deleted for good, only its history is still to be gone through; restored: kept for the ids, until it is removed again
  add column state text not null default 'removed',
  add column revisions_after bigint not null default 0,
  add column revisions_up_to bigint,
  add column files_after bigint not null default 0,
  add column files_up_to bigint,
  add column values_after bigint not null default 0,
  add column values_up_to bigint;
