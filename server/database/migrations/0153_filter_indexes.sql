-- Indexes of a choice alone: of a few options each has too many records. The next start makes those that have the records of an option in
-- the order of creation. One by one: Citus drops no two at once.
drop index if exists crm__leads__status__index;
drop index if exists crm__opportunities__stage__index;
drop index if exists crm__companies__industry__index;
drop index if exists core__jobs__status__index;
drop index if exists access_controls__audit_events__event__index;
