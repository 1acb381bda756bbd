-- Organisations founded earlier were not counted among their own records, and their list of organisations was empty.
do $$
begin
  -- Record types' tables come after the migrations of a new database.
  if to_regclass('access_controls__organizations') is not null then
    insert into core__changes (organization_id, record_type, acl_id, delta)
    select o.organization_id, 'access_controls/organizations', o.acl_id, 1
    from access_controls__organizations o
    where o.deleted = 0
      and not exists (select 1 from core__counters c
        where c.organization_id = o.organization_id and c.record_type = 'access_controls/organizations' and c.live > 0)
      and not exists (select 1 from core__changes c
        where c.organization_id = o.organization_id and c.record_type = 'access_controls/organizations' and c.delta > 0);
  end if;
end $$;
