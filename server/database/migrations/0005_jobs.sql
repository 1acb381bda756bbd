-- Work that outlives its request. The job itself is a record (core/jobs); here is what only the runner needs.

-- Jobs that are not finished. Whoever works on one holds its row's lock for as long as a chunk takes: a process that is
-- killed lets go of it with its connection, and the next one goes on after the last chunk that was committed.
create table core__job_queue (
  organization_id bigint not null,
  job_id bigint not null,
  -- when it last had its turn: jobs take turns, chunk by chunk
  turn timestamp not null default (clock_timestamp() at time zone 'utc'),
  -- how often in a row a chunk of it ended in an error that nobody expected
  attempts integer not null default 0,
  primary key (organization_id, job_id)
);
create index core__job_queue__turn on core__job_queue (turn);

-- What a job works on, fixed when it starts: a chunk is written, and marked as finished, in one transaction.
create table core__job_chunks (
  organization_id bigint not null,
  job_id bigint not null,
  number integer not null,
  record_ids text[] not null,
  -- records to be added, as they were sent
  rows json,
  finished timestamp(0),
  -- id (of a record that was to be added: its number) → reasons
  failed json,
  -- id → fields that were changed since and were left alone
  left_alone json,
  primary key (organization_id, job_id, number)
);
