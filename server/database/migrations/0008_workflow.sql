-- Whose turn it is: the principals that a record's stage waits for, as the recipe comes to now. What waits for somebody
-- is found through these sets, whatever the record type.
alter table core__acl_sets add column actors integer[];
create index core__acl_sets__actors on core__acl_sets using gin (organization_id, actors) where actors is not null;
