import type { DictItem, Row, Values, WireValue } from '@jiaowu/api/entity/values'
import { resolveEditing, type EntityConfig, type Field } from '@jiaowu/api/entity/config'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import type { EventObject } from 'xstate'
import type { Api, RunContext } from '../run-context.ts'

/**
 * The text field by which rows are found and ordered: the first that the list searches by
 * substring.
 */
function findNameField({ tag, fields }: EntityConfig): string {
  const usable = fields.filter(
    (field) =>
      isText(field) &&
      field.isList === 1 &&
      field.isQuery === 1 &&
      field.sortable &&
      resolveEditing(field, 'add') === 'editable' &&
      resolveEditing(field, 'edit') === 'editable',
  )
  const chosen = usable.find(({ queryType }) => toQueryOperator(queryType) === 'like') ?? usable[0]
  if (chosen === undefined)
    throw new Error(`${tag} has no text that is listed, searched, sorted and edited`)
  return chosen.attrName
}

function isText({ uiType }: Field): boolean {
  return findKind(uiType).family === 'text' && uiType === 'input'
}

const plain: Readonly<Record<string, WireValue>> = {
  inputNumber: 1,
  rate: 1,
  date: '2026-01-02',
  datetime: '2026-01-02 03:04:05',
  year: '2026',
  time: '03:04:05',
  switch: '1',
  richTextEditor: '<p>1</p>',
  textarea: '1',
}

/** The values of a new record: required fields and `given`. */
export async function newValues(
  api: Api,
  config: EntityConfig,
  text: string,
  given: Values = {},
): Promise<Values> {
  const values: Record<string, WireValue> = { ...given }
  for (const field of config.fields)
    if (
      !(field.attrName in values) &&
      holdsValue(field.uiType) &&
      resolveEditing(field, 'add') === 'editable' &&
      field.valids.required === true
    )
      values[field.attrName] = await valueFor(api, config.tag, field, text, values)
  return { ...values, [findNameField(config)]: text }
}

/** Creates a record: required fields and `given`. */
export async function createRow(
  api: Api,
  config: EntityConfig,
  text: string,
  given?: Values,
): Promise<Row> {
  const values = await newValues(api, config, text, given)
  return api.entityData.create({ params: { tag: config.tag }, body: { ...values } })
}

/** A value for a required field, from its metadata alone; choices come from the server. */
async function valueFor(
  api: Api,
  tag: string,
  field: Field,
  text: string,
  known: Values,
): Promise<WireValue> {
  const { family } = findKind(field.uiType)
  if (isText(field)) return text
  if (family !== 'choice') return plain[field.uiType] ?? text
  const cascades = Object.fromEntries(
    (field.options.cascades ?? []).flatMap(({ attrName }) => {
      const parent = known[attrName]
      return Array.isArray(parent) && parent[0] !== undefined
        ? [[attrName, (parent[0] as { id: string }).id]]
        : []
    }),
  )
  const found =
    field.dictData ??
    (await api.entityData.lookup({ params: { tag }, body: { fieldId: field.id, cascades } }))
  const [item] = Array.isArray(found)
    ? (found as readonly DictItem[])
    : (found as { records: readonly DictItem[] }).records
  if (item === undefined) throw new Error(`${tag}.${field.attrName} has nothing to choose from`)
  return [{ id: item.id, name: item.name }]
}

/**
 * Rows of one entity that belong to this run, known by aliases; rows that a path deleted are
 * created again before they are needed.
 */
export type RowSet = Awaited<ReturnType<typeof createRows>>

/** `letter` distinguishes the sets of a run. `given`: values of all rows of the set. */
export async function createRows(
  run: RunContext,
  tag: string,
  letter: string,
  aliases: readonly string[],
  given: () => Values = () => ({}),
) {
  const { api } = await run.helper('admin')
  const config = await api.entityData.config({ params: { tag } })
  const name = findNameField(config)
  const ids = new Map<string, string>()
  /** All ids the rows ever had: a machine may still refer to a deleted row. */
  const aliasById = new Map<string, string>()
  const stem = `${run.prefix}${letter}`
  const called = (alias: string) => `${stem}${alias}`
  const idOf = (alias: string) =>
    ids.get(alias) ?? [...aliasById].findLast(([, known]) => known === alias)?.[0] ?? alias
  const forgetWhere = (isGone: (id: string) => boolean) => {
    for (const [alias, id] of ids) if (isGone(id)) ids.delete(alias)
  }
  const rows = {
    tag,
    config,
    /** attrName of the field with their names. */
    name,
    aliases,
    /** Prefix of the names of its rows. */
    stem,
    called,
    /** The id of a row on the server. */
    idOf,
    /** The alias of an id; another value stays. */
    aliasOf: (id: string) => aliasById.get(id) ?? id,
    /** Replaces the alias in an event of the user by the id. */
    translate: (event: EventObject): EventObject =>
      'id' in event && typeof event.id === 'string'
        ? Object.assign({}, event, { id: idOf(event.id) })
        : event,
    /** Ensures that every row exists, changed or not. */
    ensure: async () => {
      for (const alias of aliases) {
        if (ids.has(alias)) continue
        const { id } = await createRow(api, config, called(alias), given())
        ids.set(alias, id)
        aliasById.set(id, alias)
      }
    },
    /** Deletes rows as another user. */
    remove: async (gone: readonly string[]) => {
      const there = gone.flatMap((alias) => ids.get(alias) ?? [])
      if (there.length === 0) return
      await api.entityData.remove({ params: { tag, ids: there.join(',') } })
      forgetWhere((id) => there.includes(id))
    },
    /** The user under test deleted these rows. */
    forget: (gone: readonly string[]) => forgetWhere((id) => gone.includes(id)),
    /** Forgets rows that no longer exist. */
    look: async () => {
      const { records } = await api.entityData.page({
        params: { tag },
        body: { pageSize: 1000, queries: { [name]: stem } },
      })
      forgetWhere((id) => !records.some((row) => row.id === id))
    },
  }
  run.onClose(`rows ${stem}… of ${tag}`, async () => {
    await rows.look()
    await rows.remove(aliases)
  })
  await rows.ensure()
  return rows
}

/** An optional text field in which all rows of the set may hold the same value. */
export function plainText({ config, name }: RowSet): string {
  const field = config.fields.find(
    (each) =>
      each.uiType === 'input' &&
      each.attrName !== name &&
      each.valids.required !== true &&
      each.valids.type === undefined &&
      each.unique !== true &&
      resolveEditing(each, 'edit') === 'editable',
  )
  if (field === undefined) throw new Error(`${config.tag} has no optional text`)
  return field.attrName
}

/** The first row of an entity, and how many there are. */
export async function firstRow(
  api: Api,
  tag: string,
): Promise<{ readonly row: Row | undefined; readonly total: number }> {
  const { records, total } = await api.entityData.page({ params: { tag }, body: { pageSize: 1 } })
  return { row: records[0], total: total ?? 0 }
}
