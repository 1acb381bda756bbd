-- What imports keep is counted, for each person and organization: uploads, and what was staged of them. `used`: when an import last
-- took an upload; null: nobody has imported it yet.
alter table core__import_files add column kind text not null default 'upload';
alter table core__import_files add column used timestamp(0);
update core__import_files f set used = f.created where exists (
  select from core__loose_files l where l.organization_id = f.organization_id and l.storage_key = f.storage_key
    and l.removable > f.created + interval '2 days');
create index core__import_files__storage on core__import_files (organization_id, storage_key);
