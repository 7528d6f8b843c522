// Which rights the product needs in its database, and which of them its role lacks
// (docs/operations/tables.md#rights-of-the-database-role).
import { type Kysely, sql } from 'kysely'

export interface MissingRight {
  /** Without it the product does not start; else tables are hidden or read-only. */
  readonly isRequired: boolean
  readonly consequence: string
  /** The statement that gives the right, for the owner of the database to run. */
  readonly grant: string
}

interface SchemaRow {
  name: string
  exists: boolean
  usage: boolean
  create: boolean
  /** Tables of the schema that belong to other roles. */
  others: number
}
interface TableRow {
  schema: string
  table: string
  missing: string[]
}
interface SequenceRow {
  schema: string
  sequence: string
}

const ownSchemas = ['sys', 'biz']

/** In the order in which they should be given. `schemas`: those of the setting BUSINESS_SCHEMAS. */
export async function missingRights(
  db: Kysely<unknown>,
  schemas: readonly string[],
): Promise<MissingRight[]> {
  const { database, role, create } = await whoAmI(db)
  const known = await readSchemas(db, [...new Set([...ownSchemas, ...schemas])])
  const own = known.filter(({ name }) => ownSchemas.includes(name))
  const theirs = known.filter(({ name, exists }) => !ownSchemas.includes(name) && exists)
  const missing: MissingRight[] = []
  if (own.some(({ exists }) => !exists) && !create)
    missing.push({
      isRequired: true,
      consequence: 'The product cannot create its schemas sys and biz.',
      grant: `grant create on database ${database} to ${role};`,
    })
  const standing = own.filter(({ exists }) => exists)
  // A role to which the audit log does not belong is the restricted one of docs/operations.md: another role applies
  // migrations. Whatever else belongs to it, it must not get the audit log as well.
  const isRestricted = await isOthersAuditLog(db)
  if (isRestricted) missing.push(...(await restrictedRights(db, standing, role)))
  else for (const schema of standing) missing.push(...ownRights(schema, role))
  for (const { name, usage } of theirs)
    if (!usage)
      missing.push({
        isRequired: false,
        consequence: `The tables of ${name} are not offered.`,
        grant: `grant usage on schema ${quoteIfNeeded(name)} to ${role};`,
      })
  const open = theirs.filter(({ usage }) => usage).map(({ name }) => name)
  return [
    ...missing,
    ...(await tableRights(db, open, role)),
    ...(await sequenceRights(db, open, role)),
  ]
}

async function isOthersAuditLog(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ others: boolean }>`
    select not pg_has_role(c.relowner, 'usage') as others from pg_catalog.pg_class c
    where c.oid = to_regclass('sys.audit_log')`.execute(db)
  return rows[0]?.others === true
}

/** Rights on tables that the restricted role must not have: it could change what is written. */
const kept: Readonly<Record<string, readonly string[]>> = {
  'sys.audit_log': ['update', 'delete'],
  'sys.audit_chain': ['delete'],
  'sys.audit_anchor': ['insert', 'update', 'delete'],
  'sys.migration': ['insert', 'update', 'delete'],
  'sys.audit_key': ['update', 'delete'],
  'sys.audit_mark': ['update', 'delete'],
}

/** The rights by which the server works on tables of another role, and those that it has too many. */
async function restrictedRights(
  db: Kysely<unknown>,
  schemas: readonly SchemaRow[],
  role: string,
): Promise<MissingRight[]> {
  const found: MissingRight[] = schemas
    .filter(({ usage }) => !usage)
    .map(({ name }) => ({
      isRequired: true,
      consequence: `The tables of ${name} cannot be read.`,
      grant: `grant usage on schema ${name} to ${role};`,
    }))
  const { rows } = await sql<{ name: string; held: string[] }>`
    select format('%I.%I', n.nspname, c.relname) as name,
      array(select r.name from unnest(array['select', 'insert', 'update', 'delete'])
        with ordinality as r(name, at) where has_table_privilege(c.oid, r.name) order by r.at) as held
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas.map(({ name }) => name)}::text[]) and c.relkind in ('r', 'p')
    order by 1`.execute(db)
  for (const { name, held } of rows) {
    const withheld = kept[name] ?? []
    const wanted = ['select', 'insert', 'update', 'delete'].filter(
      (right) => !withheld.includes(right),
    )
    const lacking = wanted.filter((right) => !held.includes(right))
    const beyond = held.filter((right) => withheld.includes(right))
    if (lacking.length > 0)
      found.push({
        isRequired: true,
        consequence: `${name}: the product needs ${lacking.join(', ')}.`,
        grant: `grant ${lacking.join(', ')} on ${name} to ${role};`,
      })
    if (beyond.length > 0)
      found.push({
        isRequired: false,
        consequence: `${name}: the role could change what is written for good.`,
        grant: `revoke ${beyond.join(', ')} on ${name} from ${role};`,
      })
  }
  return found
}

function ownRights({ name, usage, create, others }: SchemaRow, role: string): MissingRight[] {
  return usage && create && others === 0
    ? []
    : [
        {
          isRequired: true,
          consequence:
            others === 0
              ? `The product cannot create its tables in ${name}.`
              : `${others} tables of ${name} belong to another role, so migrations cannot change them.`,
          grant:
            others === 0
              ? `grant usage, create on schema ${name} to ${role};`
              : `reassign owned by <their owner> to ${role};`,
        },
      ]
}

async function whoAmI(db: Kysely<unknown>) {
  const { rows } = await sql<{ database: string; role: string; create: boolean }>`
    select quote_ident(current_database()) as database, quote_ident(current_user) as role,
      has_database_privilege(current_database(), 'create') as "create"`.execute(db)
  return rows[0] ?? { database: '', role: '', create: false }
}

async function readSchemas(db: Kysely<unknown>, names: readonly string[]): Promise<SchemaRow[]> {
  const { rows } = await sql<SchemaRow>`
    select w.name, n.oid is not null as exists,
      coalesce(has_schema_privilege(n.oid, 'usage'), false) as usage,
      coalesce(has_schema_privilege(n.oid, 'create'), false) as "create",
      (select count(*)::int4 from pg_catalog.pg_class c where c.relnamespace = n.oid
        and c.relkind in ('r', 'p') and not pg_has_role(c.relowner, 'usage')) as others
    from unnest(${names}::text[]) with ordinality as w(name, at)
    left join pg_catalog.pg_namespace n on n.nspname = w.name
    order by w.at`.execute(db)
  return rows
}

/** One statement for a schema whose tables all lack the same, else one for each table. */
async function tableRights(
  db: Kysely<unknown>,
  schemas: readonly string[],
  role: string,
): Promise<MissingRight[]> {
  const { rows } = await sql<TableRow>`
    select n.nspname::text as schema, c.relname::text as "table",
      array(select r.name from unnest(
        case when c.relkind in ('r', 'p') then array['select', 'insert', 'update', 'delete']
          else array['select'] end
      ) with ordinality as r(name, at)
        where not has_table_privilege(c.oid, r.name) order by r.at) as missing
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas}::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not c.relispartition
    order by 1, 2`.execute(db)
  return [...Map.groupBy(rows, ({ schema }) => schema)].flatMap(([schema, tables]) => {
    const lacking = tables.filter(({ missing }) => missing.length > 0)
    const alike = new Set(lacking.map(({ missing }) => missing.join()))
    const isWhole = lacking.length === tables.length && alike.size === 1 && tables.length > 1
    const targets = isWhole ? lacking.slice(0, 1) : lacking
    return targets.map(({ table, missing }): MissingRight => {
      const what = isWhole
        ? `all tables in schema ${quoteIfNeeded(schema)}`
        : `${quoteIfNeeded(schema)}.${quoteIfNeeded(table)}`
      const name = isWhole ? `The tables of ${schema}` : `${schema}.${table}`
      return {
        isRequired: false,
        consequence: `${name}: ${describeConsequence(missing)}`,
        grant: `grant ${missing.join(', ')} on ${what} to ${role};`,
      }
    })
  })
}

function describeConsequence(missing: readonly string[]): string {
  if (missing.includes('select')) return 'not offered.'
  if (missing.length === 3) return 'read-only.'
  const actions = missing.map((right) => (right === 'insert' ? 'add' : right))
  // Deleting locks the row first, which needs the right to update.
  const all = missing.includes('update') ? [...new Set([...actions, 'delete'])] : actions
  return `without ${all.join(', ')}.`
}

/**
 * Sequences of serial columns; those of identity columns need no right. `case` keeps the order:
 * has_sequence_privilege fails on anything but a sequence.
 */
async function sequenceRights(
  db: Kysely<unknown>,
  schemas: readonly string[],
  role: string,
): Promise<MissingRight[]> {
  const { rows } = await sql<SequenceRow>`
    select distinct n.nspname::text as schema, s.relname::text as sequence
    from pg_catalog.pg_attrdef d
    join pg_catalog.pg_depend p on p.classid = 'pg_catalog.pg_attrdef'::regclass
      and p.objid = d.oid and p.refclassid = 'pg_catalog.pg_class'::regclass
    join pg_catalog.pg_class s on s.oid = p.refobjid
    join pg_catalog.pg_namespace n on n.oid = s.relnamespace
    where n.nspname = any(${schemas}::text[])
      and has_table_privilege(d.adrelid, 'insert')
      and case when s.relkind = 'S'
        then not has_sequence_privilege(s.oid, 'usage, update') else false end
    order by 1, 2`.execute(db)
  return [...Map.groupBy(rows, ({ schema }) => schema).keys()].map((schema) => ({
    isRequired: false,
    consequence: `Rows of ${schema} with a serial number cannot be added.`,
    grant: `grant usage on all sequences in schema ${quoteIfNeeded(schema)} to ${role};`,
  }))
}

const quoteIfNeeded = (name: string) =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
