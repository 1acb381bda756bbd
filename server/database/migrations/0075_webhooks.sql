-- Where each webhook stands: how far it has read the events of its organization, how its endpoint is doing, and its secrets, sealed.
-- What people set up is core__webhooks, and what was sent is core__webhook_deliveries; both are record types.
create table core__webhook_state (
  organization_id bigint not null,
  webhook_id bigint not null,
  secret text,
  -- After a rotation both sign for a while.
  previous_secret text,
  previous_until timestamp(0),
  -- Who saved it last, and with that answers for whose rights it sees with.
  approved_by bigint,
  -- Up to here events are queued. No era: no event was there yet.
  era text,
  position bigint not null default 0,
  rights text,
  -- Attempts that failed since one succeeded, and until when none is made.
  failures integer not null default 0,
  failing_since timestamp(0),
  retry_at timestamp,
  served timestamp not null default '-infinity',
  primary key (organization_id, webhook_id)
);
