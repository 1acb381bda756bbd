// Reads what a database is made of, in all that PostgreSQL knows of it: two that are made alike read alike.
import type { Database } from "../../server/database/database.ts";
import { sql } from "../../server/database/sql.ts";

export async function describeCatalog(db: Database): Promise<Record<string, string[]>> {
  const lines = async (statement: ReturnType<typeof sql>): Promise<string[]> =>
    (await db.rows(statement)).map((row) => row.line ?? "");
  return {
    relations: await lines(sql`
      select format('%s %s %s %s %s %s', relname, relkind, relpersistence, reloptions, relispartition, pg_get_expr(relpartbound, oid))
        as line
      from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'c' order by 1`),
    columns: await lines(sql`
      select format('%s.%s %s %s %s %s %s %s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        a.attcollation::regcollation, a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid),
        a.attstorage, a.attcompression, nullif(a.attstattarget, -1), nullif(array(select o from unnest(a.attoptions) o where o not like 'pg\\_attver=%'), '{}')) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      order by 1`),
    constraints: await lines(sql`
      select format('%s %s %s %s', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) as line
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' order by 1`),
    indexes: await lines(sql`
      select pg_get_indexdef(i.indexrelid) as line from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and i.indisvalid order by 1`),
    functions: await lines(sql`
      select pg_get_functiondef(p.oid) as line from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`),
    triggers: await lines(sql`select pg_get_triggerdef(oid) as line from pg_trigger where not tgisinternal order by 1`),
    sequences: await lines(sql`
      select format('%s %s %s %s %s %s', sequencename, data_type, start_value, increment_by, max_value, last_value) as line
      from pg_sequences where schemaname = 'public' order by 1`),
    comments: await lines(sql`
      select format('%s.%s %s', objoid::regclass, objsubid > 0, description) as line from pg_description
      where classoid = 'pg_class'::regclass and objoid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      order by 1`),
    others: await lines(sql`
      select format('statistics %s', stxname) as line from pg_statistic_ext
      union all select format('rule %s', rulename) from pg_rules where schemaname = 'public'
      union all select format('policy %s', policyname) from pg_policies
      union all select format('view %s', viewname) from pg_views where schemaname = 'public'
      union all select format('type %s', typname) from pg_type t where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')
      union all select format('extension %s', extname) from pg_extension order by 1`),
  };
}
