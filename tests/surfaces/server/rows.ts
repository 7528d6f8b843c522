import {
  type DictItem,
  editingOf,
  type EntityConfig,
  type Field,
  holdsValue,
  kindOf,
  operatorOf,
  type Values,
  type WireValue,
} from '@jiaowu/api'
import type { Api, World } from './world.ts'

/** The text by which rows are found and ordered: the first that lists search by a part of it. */
export function nameOf({ tag, fields }: EntityConfig): string {
  const usable = fields.filter(
    (field) =>
      isText(field) &&
      field.isList === 1 &&
      field.isQuery === 1 &&
      field.sortable &&
      editingOf(field, 'add') === 'editable' &&
      editingOf(field, 'edit') === 'editable',
  )
  const chosen = usable.find(({ queryType }) => operatorOf(queryType) === 'like') ?? usable[0]
  if (chosen === undefined)
    throw new Error(`${tag} has no text that is listed, searched, sorted and edited`)
  return chosen.attrName
}

function isText({ uiType }: Field): boolean {
  return kindOf(uiType).family === 'text' && uiType === 'input'
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

/** What a new record needs, and what is `given`. */
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
      editingOf(field, 'add') === 'editable' &&
      field.valids.required === true
    )
      values[field.attrName] = await valueFor(api, config.tag, field, text, values)
  return { ...values, [nameOf(config)]: text }
}

/** A value for a required field, from its metadata alone; choices come from the server's own lists. */
async function valueFor(
  api: Api,
  tag: string,
  field: Field,
  text: string,
  known: Values,
): Promise<WireValue> {
  const { family } = kindOf(field.uiType)
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

/** Rows of one entity that belong to this run, known by short names; those that a path deleted come back before they are needed again. */
export interface RowSet {
  readonly tag: string
  readonly config: EntityConfig
  /** attrName of the text that names them. */
  readonly name: string
  readonly aliases: readonly string[]
  /** What the names of its rows begin with. */
  readonly stem: string
  /** What row `alias` is called on the server. */
  called(alias: string): string
  idOf(alias: string): string
  /** Anything else stays as it is. */
  aliasOf(id: string): string
  /** Every row is there, changed or not. */
  ensure(): Promise<void>
  /** As somebody else would. */
  remove(aliases: readonly string[]): Promise<void>
  /** Somebody under test deleted these. */
  forget(ids: readonly string[]): void
  /** Forgets what is no longer there, whoever deleted it. */
  look(): Promise<void>
}

/** `letter` tells the sets of a run apart. `given`: values that all rows of the set have. */
export async function createRows(
  world: World,
  tag: string,
  letter: string,
  aliases: readonly string[],
  given: () => Values = () => ({}),
): Promise<RowSet> {
  const { api } = await world.helper('admin')
  const config = await api.entityData.config({ params: { tag } })
  const name = nameOf(config)
  const ids = new Map<string, string>()
  /** Ids they ever had: a machine may still speak of a row that is gone. */
  const aliasById = new Map<string, string>()
  const stem = `${world.run}${letter}`
  const called = (alias: string) => `${stem}${alias}`
  const set: RowSet = {
    tag,
    config,
    name,
    aliases,
    stem,
    called,
    idOf: (alias) =>
      ids.get(alias) ?? [...aliasById].findLast(([, known]) => known === alias)?.[0] ?? alias,
    aliasOf: (id) => aliasById.get(id) ?? id,
    ensure: async () => {
      for (const alias of aliases) {
        if (ids.has(alias)) continue
        const { id } = await api.entityData.create({
          params: { tag },
          body: { ...(await newValues(api, config, called(alias), given())) },
        })
        ids.set(alias, id)
        aliasById.set(id, alias)
      }
    },
    remove: async (gone) => {
      const there = gone.filter((alias) => ids.has(alias))
      if (there.length === 0) return
      await api.entityData.remove({
        params: { tag, ids: there.map((alias) => ids.get(alias)).join(',') },
      })
      for (const alias of there) ids.delete(alias)
    },
    look: async () => {
      const { records } = await api.entityData.page({
        params: { tag },
        body: { pageSize: 1000, queries: { [name]: stem } },
      })
      for (const [alias, id] of ids) if (!records.some((row) => row.id === id)) ids.delete(alias)
    },
    forget: (gone) => {
      for (const [alias, id] of ids) if (gone.includes(id)) ids.delete(alias)
    },
  }
  world.later(`rows ${stem}… of ${tag}`, async () => {
    await set.look()
    await set.remove(aliases)
  })
  await set.ensure()
  return set
}

/** An optional text that rows of the set may all have the same. */
export function plainText({ config, name }: RowSet): string {
  const field = config.fields.find(
    (each) =>
      each.uiType === 'input' &&
      each.attrName !== name &&
      each.valids.required !== true &&
      each.valids.type === undefined &&
      each.unique !== true &&
      editingOf(each, 'edit') === 'editable',
  )
  if (field === undefined) throw new Error(`${config.tag} has no optional text`)
  return field.attrName
}
