-- Organizations that were founded before everybody could subscribe to a view: roles that are still as they were shipped may make feed links and
-- revoke them, as new organizations' roles may. A role whose rights on views somebody changed stays as it is, and so does what it says of feed links.
do $$
begin
  -- Record types' tables come after the migrations of a new database.
  if to_regclass('access_controls__role_operations') is not null then
    with given as (
      insert into access_controls__role_operations
        (organization_id, role_id, record_type, operations, acl_id, owned_by, primary_acl_group, created_by, modified_by)
      select o.organization_id, o.role_id, 'core/feed_links', array['index', 'view', 'add', 'delete'],
        o.acl_id, o.owned_by, o.primary_acl_group, o.created_by, o.modified_by
      from access_controls__role_operations o
      join access_controls__roles r on r.organization_id = o.organization_id and r.id = o.role_id and r.deleted = 0
      where r.code in ('sales_manager', 'sales_rep', 'marketing', 'support') and o.record_type = 'core/listviews' and o.deleted = 0
        and o.operations @> array['index', 'view', 'add', 'edit', 'delete']
        and o.operations <@ array['index', 'view', 'add', 'edit', 'delete']
        and not exists (
          select 1 from access_controls__role_operations k
          where k.organization_id = o.organization_id and k.role_id = o.role_id and k.record_type = 'core/feed_links')
      returning organization_id, acl_id
    )
    insert into core__changes (organization_id, record_type, acl_id, delta)
    select organization_id, 'access_controls/role_operations', acl_id, 1 from given;
  end if;
end $$;
