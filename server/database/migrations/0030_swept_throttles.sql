-- What has expired is swept, oldest first.
create index access_controls__throttles__touched on access_controls__throttles (touched);
