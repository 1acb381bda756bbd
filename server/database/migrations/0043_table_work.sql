-- What is left to do on large tables after a start or a change of design, while the service runs: texts that words are looked for in,
-- indexes, references to check. Belongs to no organization. A row goes when its work is done.
create table metadata__table_work (
  table_name text not null,
  kind text not null check (kind in ('search', 'index', 'reference')),
  -- the index, the reference, or the fingerprint of what the text is made of
  name text not null,
  -- the key of the last record that was looked at; null at the beginning
  reached jsonb,
  done bigint not null default 0,
  total bigint not null default 0,
  failure text,
  requested timestamp(0) not null default (now() at time zone 'utc'),
  primary key (table_name, kind, name)
);
