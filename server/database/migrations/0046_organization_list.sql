-- Which organizations there are, in one small table: what is done for all of them, or before the organization is known, asks here
-- and then speaks of one organization at a time.
create table access_controls__organization_list (
  organization_id bigint primary key,
  is_operator smallint not null default 0
);
do $$
declare
  one record;
begin
  if to_regclass('access_controls__organizations') is not null then
    insert into access_controls__organization_list (organization_id, is_operator)
    select id, coalesce(is_operator, 0) from access_controls__organizations where organization_id = id;
  end if;
  -- TRUNCATE has a trigger of its own: where a table is distributed, one for both would be on none of its parts.
  for one in
    select tgrelid::regclass as name from pg_trigger where tgname = 'append_only' and not tgisinternal and tgtype & 32 = 32
  loop
    execute format('create or replace trigger append_only before update or delete on %s '
      'for each statement execute function dossier_append_only()', one.name);
    execute format('create or replace trigger never_truncated before truncate on %s '
      'for each statement execute function dossier_append_only()', one.name);
  end loop;
end $$;
