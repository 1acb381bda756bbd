-- The record types that the records of an access set are attached to or about, nearest first: part of what decides who may
-- read them. Types that follow their record are left out, the record that they lead to counts.
alter table core__acl_sets add column subjects text[];
with recursive chain(organization_id, id, depth, type, recipe) as (
  select organization_id, id, 0, record_type, recipe from core__acl_sets where recipe::json #> '{4}' is not null
  union all
  select organization_id, id, depth + 1, recipe::json #>> '{4,0}', recipe::json #>> '{4,1}' from chain
  where recipe::json #> '{4}' is not null
)
update core__acl_sets s set subjects = found.subjects
from (
  select organization_id, id, array_agg(type order by depth) as subjects from chain
  where depth > 0 and type not in ('core/comments', 'core/attachments', 'access_controls/shares') group by organization_id, id
) found
where s.organization_id = found.organization_id and s.id = found.id;
