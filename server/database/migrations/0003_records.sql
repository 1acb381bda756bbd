-- What saving records leans on beside the records themselves.

-- The first answer to a write that was sent with an Idempotency-Key: a retry gets it again, and writes nothing.
create table core__idempotency_keys (
  organization_id bigint not null,
  user_id bigint not null,
  key text not null,
  -- of the request, so that a key cannot be used for another one
  digest text not null,
  -- null while the first request is under way
  status integer,
  answer json,
  created timestamp(0) not null default (now() at time zone 'utc'),
  primary key (organization_id, user_id, key)
);
create index core__idempotency_keys__created on core__idempotency_keys (organization_id, created);
