-- What accounts lean on beside record types: the second step of a login, and which list views each organisation was given.

-- Authenticator secrets, sealed with a key of the service; apart from the records that people can list or export.
create table access_controls__second_factors (
  organization_id bigint not null,
  user_id bigint not null,
  secret text not null,
  -- null while it is being set up: nothing is asked for yet
  confirmed timestamp(0),
  -- the newest time step whose code was taken; a code works once
  last_step bigint not null default 0,
  created timestamp(0) not null default (now() at time zone 'utc'),
  primary key (organization_id, user_id)
);

-- For who has lost the authenticator: digests, spent by deleting.
create table access_controls__recovery_codes (
  organization_id bigint not null,
  user_id bigint not null,
  hash text not null,
  primary key (organization_id, user_id, hash)
);

-- Standard list views by the name they were shipped under: what an organisation was given once it is not given again,
-- whatever it did with it.
create table core__given_views (
  organization_id bigint not null,
  controller text not null,
  name text not null,
  primary key (organization_id, controller, name)
);
