// `npm run test:schemas -- FOLDER`: brings every table of public schemas into the product, and lists,
// filters, adds, edits and deletes in each through the HTTP interface. FOLDER has one folder per
// schema with its .sql files, loaded in the order of their names, or .sql files of their own. Needs
// PostgreSQL 14 or newer with psql; `--bin` names the folder of its programs, else the newest is used.
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ApiProblem } from '@jiaowu/api/problem'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { limits } from '@jiaowu/api/limits'
import type { TableDrafts, TableInfo } from '@jiaowu/api/entity/definition/table'
import { startCluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import {
  addOther,
  addRow,
  editRow,
  listAndFilter,
  removeOther,
  removeRow,
  formatApiError,
  type Trial,
} from './crud.ts'
import { exportsReturn } from './returns.ts'
import { type Loaded, loadSchema } from './server.ts'

interface Line {
  readonly name: string
  readonly tables: number
  readonly drafted: number
  readonly saved: number
  readonly listed: number
  readonly filtered: number
  readonly readOnly: number
  readonly whole: number
  readonly refused: number
  /** Tables with rows whose exports come back, of those tried. */
  readonly returned: string
  readonly links: string
  readonly choices: string
  readonly seconds: string
}

const {
  positionals: [folder, only],
  values: { bin },
} = parseArgs({ allowPositionals: true, options: { bin: { type: 'string' } } })
if (folder === undefined) {
  process.stderr.write('usage: npm run test:schemas -- FOLDER [NAME] [--bin FOLDER]\n')
  process.exit(2)
}
const cluster = await startCluster(bin === undefined ? {} : { bin })
const lines: Line[] = []
const faults: string[] = []
try {
  for (const entry of readdirSync(folder).sort()) {
    const path = join(folder, entry)
    const files = statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith('.sql'))
          .sort()
          .map((name) => join(path, name))
      : path.endsWith('.sql')
        ? [path]
        : []
    const name = basename(entry, '.sql')
    if (files.length === 0 || (only !== undefined && only !== name)) continue
    process.stderr.write(`${name}\n`)
    const loaded = await loadSchema(cluster.url, name, files)
    try {
      lines.push(await measureSchema(name, loaded))
    } finally {
      await loaded.close()
    }
  }
} finally {
  await cluster.stop()
}
printLines()

async function measureSchema(name: string, loaded: Loaded): Promise<Line> {
  const { api, pool } = loaded
  const started = performance.now()
  const tables = await api.design.tables({ query: {} })
  const [saved, refused, drafts] = [[] as EntityDefinition[], [] as string[], emptyDrafts()]
  let adoptedIn = 0
  for (const step of planSteps(tables)) {
    const drafted = await api.design.draftAll({ body: { tables: step } })
    const before = performance.now()
    const adopted = await adopt(loaded, drafted)
    adoptedIn += performance.now() - before
    saved.push(...adopted.saved)
    refused.push(...adopted.refused)
    drafts.drafts.push(...drafted.drafts)
    drafts.refused.push(...drafted.refused)
  }
  const draftedIn = performance.now() - started - adoptedIn
  for (const { schema, name: table, reason } of drafts.refused)
    refused.push(`${schema}.${table}: ${reason}`)
  faults.push(...refused.map((reason) => `${name} refused ${reason}`))
  const trials: Trial[] = []
  for (const definition of saved) trials.push(await listAndFilter(api, definition))
  for (const trial of trials) await exportsReturn(pool, trial)
  // Rows of tables that others refer to come first, and go last.
  const ordered = sortTrials(trials, saved)
  // A second pass finds the rows that the first one has added, whatever the order of foreign keys; the
  // last one has two rows of most tables to choose from.
  for (let pass = 0; pass < 3; pass += 1) await addRows(pool, ordered)
  for (const trial of ordered) await addOther(pool, trial)
  await addRows(pool, ordered)
  for (const trial of ordered) await editRow(pool, trial)
  for (let pass = 0; pass < 3; pass += 1)
    for (const trial of ordered.toReversed()) {
      if (trial.other !== null && (await removeOther(trial, trial.other))) trial.other = null
      if (trial.id === null || trial.remove === true) continue
      trial.faults.splice(
        0,
        trial.faults.length,
        ...trial.faults.filter((f) => !f.startsWith('delete')),
      )
      await removeRow(pool, trial)
    }
  for (const trial of trials)
    faults.push(...trial.faults.map((fault) => `${name} ${trial.tag} ${fault}`))
  const count = (test: (trial: Trial) => boolean) => trials.filter(test).length
  return {
    name,
    tables: tables.length,
    drafted: drafts.drafts.length,
    saved: saved.length,
    listed: count(({ list }) => list),
    filtered: count(({ filter }) => filter),
    readOnly: count(({ readOnly, list, filter }) => readOnly && list && filter),
    whole: count(
      ({ list, filter, add, edit, remove, readOnly }) =>
        !readOnly && list && filter && add !== false && edit !== false && remove !== false,
    ),
    refused: refused.length,
    returned: `${count(({ returns }) => returns === true)} of ${count(({ returns }) => returns !== null)}`,
    links: await proposedLinks(loaded, saved),
    choices: await proposedChoices(loaded, saved),
    seconds: `${(draftedIn / 1000).toFixed(1)} + ${(adoptedIn / 1000).toFixed(1)}`,
  }
}

function emptyDrafts() {
  return {
    drafts: [] as TableDrafts['drafts'][number][],
    refused: [] as TableDrafts['refused'][number][],
  }
}

/** As many tables as one step brings in, by `schema.table`. */
function planSteps(tables: readonly TableInfo[]): string[][] {
  const names = tables
    .filter(({ schema }) => schema !== 'biz')
    .map(({ schema, name }) => `${schema}.${name}`)
  return Array.from({ length: Math.ceil(names.length / limits.adoptTables) }, (_, at) =>
    names.slice(at * limits.adoptTables, (at + 1) * limits.adoptTables),
  )
}

/** Tries the tables that have no new row yet. */
async function addRows(pool: Loaded['pool'], trials: readonly Trial[]): Promise<void> {
  for (const trial of trials.filter(({ id }) => id === null)) {
    const kept = trial.faults.filter((fault) => !fault.startsWith('add'))
    trial.faults.splice(0, trial.faults.length, ...kept)
    await addRow(pool, trial)
  }
}

/** Saves all drafts at once; those with faults are taken out and tried again without them. */
async function adopt({ api }: Loaded, { drafts }: TableDrafts) {
  const refused: string[] = []
  let left: EntityDefinition[] = drafts.map(({ definition }) => definition)
  for (;;) {
    if (left.length === 0) return { saved: left, refused }
    try {
      await api.design.adopt({ body: { definitions: left.map((each) => ({ ...each })) } })
      return { saved: left, refused }
    } catch (error) {
      const issues = error instanceof ApiProblem ? error.problem.issues : []
      const tags = new Set(issues.map(({ path }) => path.split('.')[1]))
      const kept = left.filter(({ tag }) => !tags.has(tag))
      if (kept.length === left.length) {
        refused.push(`all: ${formatApiError(error)}`)
        return { saved: [], refused }
      }
      refused.push(...issues.map(({ path, msg }) => `${path}: ${msg}`))
      left = kept
    }
  }
}

function sortTrials(trials: readonly Trial[], definitions: readonly EntityDefinition[]): Trial[] {
  const byTag = new Map(trials.map((trial) => [trial.tag, trial]))
  const [done, found] = [new Set<string>(), [] as Trial[]]
  const visit = (definition: EntityDefinition) => {
    if (done.has(definition.tag)) return
    done.add(definition.tag)
    for (const { dictType, dictValue } of definition.fields) {
      const target =
        dictType === 1 ? definitions.find(({ tag }) => tag === dictValue?.split('.')[0]) : undefined
      if (target !== undefined) visit(target)
    }
    const trial = byTag.get(definition.tag)
    if (trial !== undefined) found.push(trial)
  }
  for (const definition of definitions) visit(definition)
  return found
}

async function proposedLinks({ pool, schemas }: Loaded, saved: readonly EntityDefinition[]) {
  const { rows } = await pool.query<{ table: string; column: string; n: string }>(
    `select n.nspname || '.' || c.relname as table, a.attname as column, array_length(k.conkey, 1) as n
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
     where k.contype = 'f' and n.nspname = any($1) and not c.relispartition and k.conparentid = 0`,
    [schemas.filter((name) => name !== 'sys')],
  )
  const proposed = rows.filter(({ table, column, n }) => {
    const definition = saved.find((each) => `${each.schemaName}.${each.tableName}` === table)
    return (
      Number(n) === 1 &&
      definition?.fields.some((field) => field.columnName === column && field.dictType === 1) ===
        true
    )
  })
  return `${proposed.length} of ${rows.length}`
}

async function proposedChoices({ pool, schemas }: Loaded, saved: readonly EntityDefinition[]) {
  const { rows } = await pool.query<{ table: string; column: string }>(
    `select distinct n.nspname || '.' || c.relname as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = a.atttypid
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
       and (t.typtype = 'e' or exists (select 1 from pg_constraint k where k.conrelid = c.oid
         and k.contype = 'c' and k.conkey = array[a.attnum]
         and pg_get_constraintdef(k.oid) ~ '= ANY|=.* OR .*='))`,
    [schemas.filter((name) => name !== 'sys')],
  )
  const proposed = rows.filter(({ table, column }) =>
    saved
      .find((each) => `${each.schemaName}.${each.tableName}` === table)
      ?.fields.some((field) => field.columnName === column && field.dictType === 0),
  )
  const comments = saved
    .flatMap(({ fields }) => fields)
    .filter(({ dictType }) => dictType === 0).length
  return `${proposed.length} of ${rows.length}, ${comments} in all`
}

function printLines(): void {
  const total = (of: (line: Line) => number) => lines.reduce((sum, line) => sum + of(line), 0)
  const out = [
    '| schema | tables | drafted | saved | listed | filtered | whole | read-only | refused | exports come back | links | choices | draft + save, s |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...lines.map(
      (l) =>
        `| ${l.name} | ${l.tables} | ${l.drafted} | ${l.saved} | ${l.listed} | ${l.filtered} | ${l.whole} | ${l.readOnly} | ${l.refused} | ${l.returned} | ${l.links} | ${l.choices} | ${l.seconds} |`,
    ),
    `| all | ${total((l) => l.tables)} | ${total((l) => l.drafted)} | ${total((l) => l.saved)} | ${total((l) => l.listed)} | ${total((l) => l.filtered)} | ${total((l) => l.whole)} | ${total((l) => l.readOnly)} | ${total((l) => l.refused)} | | | | |`,
    '',
    ...faults,
  ]
  process.stdout.write(`${out.join('\n')}\n`)
  if (process.env['SCHEMAS_REPORT'] !== undefined)
    writeFileSync(process.env['SCHEMAS_REPORT'], `${out.join('\n')}\n`)
}
