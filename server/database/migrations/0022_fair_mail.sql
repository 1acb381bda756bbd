-- Mail that one organization cannot use to write to the world, nor to keep another one's mail waiting.

-- Whom a message is for: a user about their own account; a user of the organization whose address is confirmed; anybody else.
alter table core__mails
  add column audience text not null default 'member' check (audience in ('account', 'member', 'outside')),
  -- Why it waits longer than it would have to; null when nothing holds it.
  add column held text check (held in ('unconfirmed', 'outside', 'quota', 'recipient'));

-- Every organization that sends: whose turn it is, what it has sent in this hour and day, and what it was told.
create table core__mail_senders (
  organization_id bigint primary key,
  served timestamp not null default '-infinity',
  -- Set by administrators of the organization that runs the service.
  allows_outside smallint not null default 0,
  hour timestamp(0),
  hour_count integer not null default 0,
  day date,
  day_count integer not null default 0,
  told text,
  told_at timestamp(0)
);
insert into core__mail_senders (organization_id) select distinct organization_id from core__mails;

-- How many messages one address was sent within the hour, over all organizations; the key is a digest.
create table core__mail_recipients (
  key text primary key,
  hour timestamp(0) not null,
  sent integer not null
);
