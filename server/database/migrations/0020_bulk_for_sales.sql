-- Sales representatives may change several of their own records at once: where the role is still as it was shipped, it is
-- given the right that it is shipped with now. A role that somebody changed stays as it is.
do $$
begin
  -- Record types' tables come after the migrations of a new database.
  if to_regclass('access_controls__role_operations') is not null then
    with given as (
      update access_controls__role_operations o set operations = array_append(o.operations, 'bulk')
      from access_controls__roles r
      where r.organization_id = o.organization_id and r.id = o.role_id and r.code = 'sales_rep' and o.deleted = 0
        and o.record_type in ('crm/leads', 'crm/peoples', 'crm/companies', 'crm/opportunities', 'crm/quotes')
        and o.operations @> array['index', 'view', 'add', 'edit', 'delete', 'comment', 'export']
        and o.operations <@ array['index', 'view', 'add', 'edit', 'delete', 'comment', 'export']
      returning o.organization_id, o.acl_id
    )
    insert into core__changes (organization_id, record_type, acl_id, delta)
    select organization_id, 'access_controls/role_operations', acl_id, 0 from given;
  end if;
end $$;
