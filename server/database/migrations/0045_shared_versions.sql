-- Versions of the tables that all organizations share, apart from those of organizations: small enough to be on every machine of
-- a distributed database, and one statement then speaks of one organization only. Their rows are few: they are counted, not logged.
create table core__shared_versions (
  record_type text primary key,
  changes bigint not null
);
insert into core__shared_versions (record_type, changes)
select record_type, sum(changes) from (
  select record_type, changes from core__versions where organization_id = 0
  union all
  select record_type, 1 from core__changes where organization_id = 0) as known
group by record_type;
delete from core__changes where organization_id = 0;
delete from core__row_changes where organization_id = 0;
delete from core__versions where organization_id = 0;
delete from core__day_versions where organization_id = 0;
delete from core__counters where organization_id = 0;
