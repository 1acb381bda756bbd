-- Workflows are for record types that opt in. What decides on rights does not, and what workflows did there is taken back:
-- they no longer run, and what a stage lent ends. The columns stay; nothing reads them.
do $$
declare
  kept_out constant text[] := array['access_controls/organizations', 'access_controls/users', 'access_controls/groups',
    'access_controls/policies', 'access_controls/api_keys', 'core/jobs'];
begin
  -- Record types' tables come after the migrations of a new database.
  if to_regclass('core__workflows') is not null then
    update core__workflows set is_active = 0 where controller = any(kept_out) and is_active = 1;
  end if;
  update core__acl_sets s set _acl_tmp = null, _acl_tmp_edit = null, _acl_tmp_delete = null, actors = null,
    readers = (select coalesce(array_agg(distinct p order by p), '{}')
      from unnest(coalesce(s._acl, '{}') || coalesce(s._acl_edit, '{}') || coalesce(s._acl_delete, '{}')) as p)
  where record_type = any(kept_out)
    and (_acl_tmp is not null or _acl_tmp_edit is not null or _acl_tmp_delete is not null or actors is not null);
end $$;

-- Read-only fields of run-time types could be filled in by workflows alone so far; from now on a field says so itself.
update metadata__record_types t set definition = jsonb_set(t.definition, '{fields}', (
  select jsonb_agg(case when f.field ->> 'permission' = '4' then f.field || '{"setByWorkflow": true}' else f.field end
    order by f.position)
  from jsonb_array_elements(t.definition -> 'fields') with ordinality as f(field, position)))
where t.definition -> 'fields' @> '[{"permission": 4}]';
