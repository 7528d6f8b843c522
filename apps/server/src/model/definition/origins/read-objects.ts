// Reads the catalog's facts about the views, tables, functions and operators that queries of views
// name.
import { type Kysely, sql } from 'kysely'
import { isOwnSchema } from '../school-columns.ts'
import { isNode, parseNodeTree, type TreeNode } from './node-tree.ts'
import { type FunctionText, type KnownRelation, readingOfFunctions } from './function-reads.ts'

export interface KnownObjects {
  /** The queries of views outside of the database's own catalog, by the number of the view. */
  readonly views: ReadonlyMap<number, TreeNode>
  /** Tables and views by number, those of the catalog too. */
  readonly relations: ReadonlyMap<number, KnownRelation>
  /** Functions of operators that somebody created. */
  readonly functionOfOperator: ReadonlyMap<number, number>
  /** Operators that hold for equal values alone. */
  readonly equalities: ReadonlySet<number>
  /** Names of window functions that the database ships. */
  readonly nameOfFunction: ReadonlyMap<number, string>
  /** The tables and views that a function reads besides its arguments; null where nobody can say. */
  readonly readsOf: (called: number) => readonly number[] | null
}

const isSystem = sql`n.nspname in ('pg_catalog', 'information_schema', 'pg_toast')`

interface ViewRow {
  view: number
  query: string
}

/** Null where there is no view outside of the catalog. */
export async function readObjects(db: Kysely<unknown>): Promise<KnownObjects | null> {
  const { rows: views } = await sql<ViewRow>`
    select c.oid::int8::float8 as view, r.ev_action::text as query
    from pg_catalog.pg_rewrite r
    join pg_catalog.pg_class c on c.oid = r.ev_class
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('v', 'm') and r.ev_type = '1' and not ${isSystem}`.execute(db)
  if (views.length === 0) return null
  const relations = await readRelations(db)
  const operators = await readOperators(db)
  const { rows: windows } = await sql<{ id: number; name: string }>`
    select p.oid::int8::float8 as id, p.proname::text as name from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'pg_catalog' and p.prokind = 'w'`.execute(db)
  return {
    views: new Map(views.map(({ view, query }) => [view, queryIn(query)])),
    relations,
    functionOfOperator: new Map(
      operators.flatMap(({ id, called, shipped }) => (shipped ? [] : [[id, called] as const])),
    ),
    equalities: new Set(operators.flatMap(({ id, shipped }) => (shipped ? [id] : []))),
    nameOfFunction: new Map(windows.map(({ id, name }) => [id, name])),
    readsOf: readingOfFunctions(await readFunctions(db), relations),
  }
}

/** An empty query for one that is none: nothing in it can be followed. */
function queryIn(text: string): TreeNode {
  const tree = parseNodeTree(text)
  const [query] = Array.isArray(tree) ? tree : []
  return isNode(query) ? query : { type: 'QUERY', parts: new Map() }
}

async function readRelations(db: Kysely<unknown>): Promise<Map<number, KnownRelation>> {
  const { rows } = await sql<{ id: number; schema: string; name: string; columns: string[] }>`
    select c.oid::int8::float8 as id, n.nspname::text as schema, c.relname::text as name,
      array_agg(a.attnum || ' ' || a.attname order by a.attnum) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_toast', 'information_schema')
    group by c.oid, n.nspname, c.relname`.execute(db)
  return new Map(
    rows.map(({ id, schema, name, columns }) => [
      id,
      {
        table: `${schema}.${name}`,
        isOwn: isOwnSchema(schema),
        columns: new Map(
          columns.map((each) => {
            const space = each.indexOf(' ')
            return [Number(each.slice(0, space)), each.slice(space + 1)]
          }),
        ),
      },
    ]),
  )
}

/** The shipped `=`, and all operators that somebody created. */
async function readOperators(db: Kysely<unknown>) {
  const { rows } = await sql<{ id: number; called: number; shipped: boolean }>`
    select o.oid::int8::float8 as id, o.oprcode::oid::int8::float8 as called,
      n.nspname = 'pg_catalog' as shipped
    from pg_catalog.pg_operator o join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
    where n.nspname <> 'pg_catalog' or o.oprname = '=' and o.oprcanhash`.execute(db)
  return rows
}

/** All that are not shipped with the database; of aggregates the functions that they call. */
async function readFunctions(db: Kysely<unknown>): Promise<FunctionText[]> {
  const { rows } = await sql<FunctionText>`
    select p.oid::int8::float8 as id, p.proname::text as name, p.provolatile = 'i' as "isImmutable",
      case when l.lanname in ('sql', 'plpgsql') and p.prokind in ('f', 'p', 'w')
        then pg_get_functiondef(p.oid) end as text,
      case when p.prokind = 'a' then array(
        select u.called::int8::float8 from pg_catalog.pg_aggregate g
        cross join lateral unnest(array[g.aggtransfn::oid, g.aggfinalfn::oid, g.aggcombinefn::oid,
          g.aggmtransfn::oid, g.aggminvtransfn::oid, g.aggmfinalfn::oid]) as u(called)
        where g.aggfnoid = p.oid and u.called <> 0
      ) end as calls
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_language l on l.oid = p.prolang
    where not ${isSystem}
    union all
    -- Functions of the catalog that run the text of a query, or read what is stored outside of columns.
    select p.oid::int8::float8, p.proname::text, false, null, null
    from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'pg_catalog' and (p.proname ~ '^(query|table|schema|database|cursor)_to_xml'
      or p.proname in ('ts_stat', 'ts_rewrite', 'lo_get', 'loread', 'pg_read_file',
        'pg_read_binary_file'))`.execute(db)
  return rows
}
