-- Organizations that were founded before there were saved import mappings and team dashboards: roles that are still as they were shipped
-- are given the rights on them that new organizations' roles have. A role whose rights on views somebody changed stays as it is, and so
-- does what it says of these types already.
do $$
begin
  -- Record types' tables come after the migrations of a new database.
  if to_regclass('access_controls__role_operations') is not null then
    with given as (
      insert into access_controls__role_operations
        (organization_id, role_id, record_type, operations, acl_id, owned_by, primary_acl_group, created_by, modified_by)
      select o.organization_id, o.role_id, lacking.record_type, o.operations, o.acl_id, o.owned_by, o.primary_acl_group, o.created_by, o.modified_by
      from access_controls__role_operations o
      join access_controls__roles r on r.organization_id = o.organization_id and r.id = o.role_id and r.deleted = 0
      join (values ('sales_manager', 'core/import_mappings'), ('sales_manager', 'core/team_dashboards'),
        ('sales_rep', 'core/import_mappings'), ('marketing', 'core/import_mappings'), ('support', 'core/import_mappings'))
        as lacking(code, record_type) on lacking.code = r.code
      where o.record_type = 'core/listviews' and o.deleted = 0
        and o.operations @> array['index', 'view', 'add', 'edit', 'delete']
        and o.operations <@ array['index', 'view', 'add', 'edit', 'delete']
        and not exists (
          select 1 from access_controls__role_operations k
          where k.organization_id = o.organization_id and k.role_id = o.role_id and k.record_type = lacking.record_type)
      returning organization_id, acl_id
    )
    insert into core__changes (organization_id, record_type, acl_id, delta)
    select organization_id, 'access_controls/role_operations', acl_id, 1 from given;
  end if;
end $$;
