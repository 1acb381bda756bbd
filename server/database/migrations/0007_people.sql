-- What people and mail lean on beside record types.

-- Mail on its way out: written in the transaction that causes it, sent by whichever process finds it due. What it says
-- may hold one-time links: it is kept until the message is out, and wiped then.
create table core__mails (
  organization_id bigint not null,
  id uuid not null,
  recipient text not null,
  recipient_name text,
  locale text not null,
  kind text not null,
  content json,
  created timestamp(0) not null default (now() at time zone 'utc'),
  due timestamp not null default (now() at time zone 'utc'),
  attempts integer not null default 0,
  last_error text,
  -- null while it waits
  ended timestamp(0),
  outcome text check (outcome in ('sent', 'written', 'failed')),
  primary key (organization_id, id)
);
create index core__mails__waiting on core__mails (organization_id, due) where ended is null;
create index core__mails__ended on core__mails (organization_id, ended) where ended is not null;

-- What a one-time link proves: kept as digests, spent by deleting. `subject` is the user or the invitation it stands for.
create table access_controls__one_time_tokens (
  organization_id bigint not null,
  hash text not null,
  kind text not null,
  subject text not null,
  created timestamp(0) not null default (now() at time zone 'utc'),
  expires timestamp(0) not null,
  primary key (organization_id, hash)
);
create index access_controls__one_time_tokens__subject on access_controls__one_time_tokens (organization_id, kind, subject);

-- Tables that are only ever added to; table sync attaches it where a record type says so.
create function dossier_append_only() returns trigger
  language plpgsql
  as $$ begin
    raise exception 'rows of % are never changed or removed', tg_table_name using errcode = 'restrict_violation';
  end $$;
