// Lists, filters, adds, edits and deletes in every adopted table, comparing the whole table before and
// after each write.
import { ApiProblem } from '@jiaowu/api/problem'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import type pg from 'pg'
import { checkedSamples } from './checked-values.ts'
import type { Api } from './server.ts'
import { type Body, inputs, type Known, newBody, otherValue } from './values.ts'

export interface Trial {
  readonly tag: string
  readonly table: string
  readOnly: boolean
  /** Steps that worked; `null`: the step does not apply. */
  list: boolean
  filter: boolean
  add: boolean | null
  edit: boolean | null
  remove: boolean | null
  /** Whether an export taken as an update changes nothing. */
  returns: boolean | null
  readonly faults: string[]
  /** Column → attrName. */
  readonly columns: ReadonlyMap<string, string>
  known: Known | null
  id: string | null
  /** A second row, so that a relation to this table can be changed. */
  other: string | null
}

const attempts = 20

export async function listAndFilter(api: Api, definition: EntityDefinition): Promise<Trial> {
  const { tag, schemaName, tableName } = definition
  const trial: Trial = {
    tag,
    table: `${quoteIdentifier(schemaName)}.${quoteIdentifier(tableName)}`,
    readOnly: false,
    list: false,
    filter: false,
    add: false,
    edit: false,
    remove: false,
    returns: null,
    faults: [],
    columns: new Map(definition.fields.map((field) => [field.columnName ?? '', field.attrName])),
    known: null,
    id: null,
    other: null,
  }
  try {
    const config = await api.entityData.config({ params: { tag } })
    trial.known = { api, config, types: mapColumnTypes(definition) }
    trial.readOnly = (config.refuses ?? []).length === 3
    if (trial.readOnly) [trial.add, trial.edit, trial.remove] = [null, null, null]
    const { records } = await loadEntityPage(api, tag, {})
    trial.list = true
    for (const row of records.slice(0, 1)) await api.entityData.get({ params: { tag, id: row.id } })
    trial.filter = await filtersWork(api, config, records[0], trial)
  } catch (error) {
    trial.faults.push(`list: ${formatApiError(error)}`)
  }
  return trial
}

const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

function mapColumnTypes({ fields }: EntityDefinition): ReadonlyMap<string, string> {
  return new Map(fields.map(({ attrName, columnType }) => [attrName, columnType ?? '']))
}

function loadEntityPage(api: Api, tag: string, queries: Readonly<Record<string, unknown>>) {
  return api.entityData.page({
    params: { tag },
    body: { pageSize: 20, pageNum: 1, sorts: [], queries },
  })
}

/** Every search field by the value of the first row; that row must be found. */
async function filtersWork(
  api: Api,
  config: EntityConfig,
  row: Row | undefined,
  trial: Trial,
): Promise<boolean> {
  let works = true
  for (const field of config.fields.filter(({ isQuery }) => isQuery === 1)) {
    const value = row?.[field.attrName]
    if (field.pii !== undefined && field.pii !== null) continue
    const isEmpty =
      value === undefined ||
      value === null ||
      value === '' ||
      (Array.isArray(value) && value.length === 0)
    const wanted = isEmpty ? sample(findKind(field.uiType).family) : value
    if (wanted === undefined) continue
    const asked = toQueryOperator(field.queryType) === 'between' ? [wanted, wanted] : wanted
    try {
      const found = await loadEntityPage(api, config.tag, { [field.attrName]: asked })
      if (!isEmpty && row !== undefined && found.total === 0) {
        works = false
        trial.faults.push(`filter ${field.attrName}: does not find ${JSON.stringify(value)}`)
      }
    } catch (error) {
      works = false
      trial.faults.push(`filter ${field.attrName}: ${formatApiError(error)}`)
    }
  }
  return works
}

const sample = (family: string): unknown =>
  ({ text: 'x', number: 1, flag: '1', temporal: undefined })[family]

/** All rows as texts, counted. */
export async function countTableRows(pool: pg.Pool, table: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ r: string; n: string }>(
    `select t::text as r, count(*) as n from ${table} t group by 1`,
  )
  return new Map(rows.map(({ r, n }) => [r, Number(n)]))
}

/** How many rows are new, and how many are gone. */
function difference(before: Map<string, number>, after: Map<string, number>) {
  let [added, gone] = [0, 0]
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const change = (after.get(key) ?? 0) - (before.get(key) ?? 0)
    if (change > 0) added += change
    else gone -= change
  }
  return `+${added} -${gone}`
}

export async function addRow(pool: pg.Pool, trial: Trial): Promise<void> {
  const { known } = trial
  if (known === null || trial.readOnly) return
  const last: string[] = []
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const body = {
      ...(await newBody(known, attempt)),
      ...(await checkedValues(pool, trial, attempt)),
      ...(await linkedValues(pool, trial, attempt)),
    }
    const before = await countTableRows(pool, trial.table)
    try {
      const row = await known.api.entityData.create({ params: { tag: trial.tag }, body })
      const changed = difference(before, await countTableRows(pool, trial.table))
      trial.add = changed === '+1 -0'
      trial.id = row.id
      if (!trial.add) trial.faults.push(`add: ${changed} instead of +1 -0`)
      else if (!readsBack(known.config, body, row)) {
        trial.add = false
        trial.faults.push(`add: stored other values ${JSON.stringify([body, row]).slice(0, 500)}`)
      }
      return
    } catch (error) {
      last.push(formatApiError(error))
    }
  }
  trial.add = false
  trial.faults.push(`add: ${[...new Set(last)].slice(0, 3).join(' | ')}`)
}

/** Adds the second row; a table that refuses it has one. */
export async function addOther(pool: pg.Pool, trial: Trial): Promise<void> {
  const { known, tag } = trial
  if (known === null || trial.readOnly || trial.id === null) return
  for (let attempt = 0; attempt < attempts && trial.other === null; attempt += 1) {
    const body = {
      ...(await newBody(known, attempt)),
      ...(await checkedValues(pool, trial, attempt)),
      ...(await linkedValues(pool, trial, attempt)),
    }
    await known.api.entityData.create({ params: { tag }, body }).then(
      ({ id }) => (trial.other = id),
      () => null,
    )
  }
}

export async function removeOther({ known, tag }: Trial, id: string): Promise<boolean> {
  const ids = encodeURIComponent(id)
  return known === null
    ? false
    : await known.api.entityData.remove({ params: { tag, ids } }).then(
        () => true,
        () => false,
      )
}

/** Values that check constraints name, in the later attempts: the database has refused the first ones. */
async function checkedValues(pool: pg.Pool, trial: Trial, attempt: number): Promise<Body> {
  const body: Body = {}
  if (attempt < 5 || trial.known === null) return body
  const samples = await checkedSamples(pool, trial.table)
  for (const field of inputs(trial.known.config, 'add')) {
    const column = [...trial.columns].find(([, name]) => name === field.attrName)?.[0]
    const of = samples.get(column ?? '') ?? []
    const sample = of[attempt % Math.max(1, of.length)]
    if (sample === undefined || !['text', 'number'].includes(findKind(field.uiType).family))
      continue
    body[field.attrName] = findKind(field.uiType).family === 'number' ? Number(sample) : sample
    if (Number.isNaN(body[field.attrName])) delete body[field.attrName]
  }
  return body
}

/** The values of foreign keys of several columns, from a row that they may point to. */
async function linkedValues(pool: pg.Pool, trial: Trial, attempt: number): Promise<Body> {
  const body: Body = {}
  const { rows: links } = await pool.query<{ own: string[]; target: string; of: string[] }>(
    `select array(select a.attname::text from unnest(k.conkey) with ordinality u(no, at)
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.no order by at) as own,
       k.confrelid::regclass::text as target,
       array(select a.attname::text from unnest(k.confkey) with ordinality u(no, at)
         join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.no order by at) as of
     from pg_constraint k
     where k.conrelid = $1::regclass and k.contype = 'f' and array_length(k.conkey, 1) > 1`,
    [trial.table],
  )
  for (const { own, target, of } of links) {
    const { rows } = await pool.query<Record<string, string>>(
      `select ${of.map((name, i) => `${quoteIdentifier(name)}::text as c${i}`).join(', ')} from ${target}
       offset $1 limit 1`,
      [attempt % 3],
    )
    own.forEach((column, i) => {
      const name = trial.columns.get(column)
      const field = trial.known?.config.fields.find(({ attrName }) => attrName === name)
      const value = rows[0]?.[`c${i}`]
      if (field === undefined || value === undefined) return
      body[field.attrName] =
        findKind(field.uiType).family === 'choice' ? [{ id: value, name: '' }] : value
    })
  }
  return body
}

/** Numbers and texts come back as they were sent. */
function readsBack({ fields }: EntityConfig, body: Body, row: Row): boolean {
  return fields.every(({ attrName, uiType, pii }) => {
    const [sent, got] = [body[attrName], row[attrName]]
    const { family, secret } = findKind(uiType)
    if (sent === undefined || secret || (pii ?? null) !== null || got === undefined) return true
    if (family === 'choice')
      return (sent as DictItem[])[0]?.id === (got as readonly DictItem[] | null)?.[0]?.id
    if (family === 'number') return Number(sent) === Number(got)
    return (
      family !== 'temporal' || got === null || String(got).startsWith(String(sent).slice(0, 10))
    )
  })
}

export async function editRow(pool: pg.Pool, trial: Trial): Promise<void> {
  const { known, id } = trial
  if (known === null || trial.readOnly || id === null) return
  const { api, config } = known
  const fields = inputs(config, 'edit').filter(({ uiType }) => !findKind(uiType).secret)
  if (fields.length === 0) {
    trial.edit = null
    return
  }
  const last: string[] = []
  for (const field of byEase(fields))
    for (const attempt of [1, 4, 6]) {
      try {
        const row = await api.entityData.get({ params: { tag: trial.tag, id } })
        const value = await otherValue(known, field, row[field.attrName], attempt)
        if (value === undefined) continue
        const before = await countTableRows(pool, trial.table)
        // As a form does: all values of the row, one of them changed.
        const body = Object.fromEntries(
          inputs(config, 'edit').map(({ attrName }) => [attrName, row[attrName] ?? null]),
        )
        await api.entityData.update({
          params: { tag: trial.tag, id },
          body: { ...body, [field.attrName]: value, version: row.version },
        })
        const changed = difference(before, await countTableRows(pool, trial.table))
        trial.edit = changed === '+1 -1'
        if (!trial.edit) trial.faults.push(`edit ${field.attrName}: ${changed} instead of +1 -1`)
        return
      } catch (error) {
        last.push(`${field.attrName}: ${formatApiError(error)}`)
      }
    }
  trial.faults.push(`edit: ${[...new Set(last)].slice(0, 3).join(' | ')}`)
}

function byEase<
  F extends { readonly uiType: Parameters<typeof findKind>[0]; readonly unique?: boolean },
>(fields: readonly F[]): readonly F[] {
  const order = ['text', 'temporal', 'flag', 'number', 'choice']
  const ease = ({ uiType, unique }: F) =>
    order.indexOf(findKind(uiType).family) + (unique === true ? 10 : 0)
  return fields.toSorted((a, b) => ease(a) - ease(b))
}

export async function removeRow(pool: pg.Pool, trial: Trial): Promise<void> {
  const { known, id } = trial
  if (known === null || trial.readOnly || id === null) return
  const before = await countTableRows(pool, trial.table)
  try {
    await known.api.entityData.remove({
      params: { tag: trial.tag, ids: encodeURIComponent(id) },
    })
    const changed = difference(before, await countTableRows(pool, trial.table))
    trial.remove = changed === '+0 -1'
    if (!trial.remove) trial.faults.push(`delete: ${changed} instead of +0 -1`)
  } catch (error) {
    trial.faults.push(`delete: ${formatApiError(error)}`)
  }
}

export function formatApiError(error: unknown): string {
  if (!(error instanceof ApiProblem)) return String(error).slice(0, 200)
  const { code, message, issues } = error.problem
  return `${code} ${issues.length > 0 ? issues.map(({ path, msg }) => `${path}: ${msg}`).join('; ') : String(message)}`.slice(
    0,
    300,
  )
}
