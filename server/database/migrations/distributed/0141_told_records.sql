-- Which records (or rows) a chunk tells something of, in `failed` or `left_alone`: found when one of them is purged. Not of imports, which
-- tell it by row.
alter table core__job_chunks add column told text[];
update core__job_chunks set told = array(select json_object_keys(coalesce(failed, '{}')))
    || array(select json_object_keys(coalesce(left_alone, '{}')))
  where place is null and (failed is not null or left_alone is not null);
create index core__job_chunks__told on core__job_chunks using gin (organization_id, told) where told is not null;

-- Which records an undo kept is told to those who may read them. Results from before named them: now they say how many.
do $$
begin
  -- Record types' tables come after the migrations of a new database.
  if to_regclass('core__jobs') is not null then
    with counted as (
      update core__jobs set result = jsonb_set(result, '{kept}', jsonb_array_length(result -> 'kept')::text::jsonb)
      where jsonb_typeof(result -> 'kept') = 'array' returning organization_id, acl_id
    )
    insert into core__changes (organization_id, record_type, acl_id, delta)
    select organization_id, 'core/jobs', acl_id, 0 from counted;
  end if;
end $$;
