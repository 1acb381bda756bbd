-- The shipped views of records that a workflow can move show Type, Sub Type, Current Stage, Current Workflow Actors, Created By
-- and Owned By. Organizations founded earlier have them added where nobody has changed the view: what they show now stays first.
do $$
begin
  -- Record types' tables come after the migrations of a new database.
  if to_regclass('core__listviews') is not null then
    with shown as (
      update core__listviews v set query = jsonb_set(v.query, '{fields}', v.query -> 'fields' || (
        select jsonb_agg(to_jsonb(c.name) order by c.place)
        from unnest(t.columns) with ordinality as c(name, place) where not (v.query -> 'fields') ? c.name))
      from (
        select 'crm/' || alias as controller, array[alias || '.type_id', alias || '.sub_type_id', alias || '.current_stage',
          alias || '.current_workflow_actors', alias || '.created_by', alias || '.owned_by'] as columns
        from unnest(array['leads', 'peoples', 'companies', 'opportunities', 'quotes']) as alias
      ) t
      where v.controller = t.controller and v.is_personal = 0 and v.deleted = 0 and v.revision = 1 and v.created_by is null
        and jsonb_typeof(v.query -> 'fields') = 'array' and not v.query ? 'group'
        and not (v.query -> 'fields') ?& t.columns
      returning v.organization_id, v.acl_id
    )
    insert into core__changes (organization_id, record_type, acl_id, delta)
    select organization_id, 'core/listviews', acl_id, 0 from shown;
  end if;
end $$;
