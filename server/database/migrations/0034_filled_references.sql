-- Indexes of references hold only the rows that have one: the next start makes those that are dropped here anew.
do $$
declare
  one record;
begin
  for one in
    select i.indexrelid::regclass as name
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_constraint k on k.conrelid = i.indrelid and k.contype = 'f'
      and i.indkey::text = array_to_string(k.conkey, ' ')
    where not i.indisunique and i.indpred is null and i.indexprs is null and c.relname like '%\_\_index'
  loop
    execute format('drop index %s', one.name);
  end loop;
end $$;
