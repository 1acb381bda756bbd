-- Files that were uploaded to be imported. Their bytes are among the loose files, and go when their time is over.
create table core__import_files (
  organization_id bigint not null,
  id text not null,
  user_id bigint not null,
  file_name text not null,
  size bigint not null,
  storage_key text not null,
  -- what was found out about it: format, encoding, separator, quotes, header
  dialect json not null,
  created timestamp(0) not null default (now() at time zone 'utc'),
  primary key (organization_id, id)
);

-- Where the rows of a chunk of an import lie in its file, and what is wrong with their cells.
alter table core__job_chunks add column place json;
alter table core__job_chunks add column faults json;
