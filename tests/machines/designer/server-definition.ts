import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import { parentTag } from '../../surfaces/server/fixtures.ts'
import type { RunContext } from '../../surfaces/server/run-context.ts'

export type OwnDefinition = Awaited<ReturnType<typeof createDefinition>>

/**
 * A definition of this run over a table of the demo data; it is not in the menu and is deleted at
 * the end. Others read and write it here.
 */
export async function createDefinition(run: RunContext) {
  const { api } = await run.helper('admin')
  const tag = run.prefix.toUpperCase()
  const tables = await api.design.tables({ query: {} })
  const table = tables.find(({ tags }) => tags.includes(parentTag))
  if (table === undefined) throw new Error(`no table of ${parentTag} is offered`)
  const params = { name: table.name }
  const { definition: draft } = await api.design.draft({ params, query: { tag } })
  const body = { ...draft, menu: false }
  const first = await api.design.create({ body })
  let { id } = first
  const field =
    draft.fields.find(
      ({ uiType, valids, attrName }) =>
        uiType === 'input' && valids.required !== true && attrName !== draft.tagField,
    )?.attrName ?? ''
  const write = { do: 'request', tag, method: 'update', id: '{id}', values: { [field]: '1' } }
  const button = { code: 'write', name: 'write', position: 2, eventContent: [write] }
  const leaning = await api.design.create({
    body: { ...body, tag: `${tag}D`, buttons: [button] },
  })
  for (const made of [() => leaning.id, () => id])
    run.onClose(`a definition of ${tag}`, () => api.design.remove({ params: { id: made() } }))
  const load = () => api.design.load({ params: { tag } })
  const save = async (change: (now: SavedEntity) => object): Promise<SavedEntity> => {
    const now = await load()
    const changed = { ...withoutStoredKeys(now), ...change(now), version: now.version }
    return api.design.save({ params: { tag }, body: changed })
  }
  const again = async () => {
    ;({ id } = await api.design.create({ body }))
  }
  const ensure = async () => {
    await load().catch(again)
  }
  return {
    api,
    tag,
    first,
    load,
    again,
    /** Creates it again when a path has deleted it. */
    ensure,
    /** An optional field, which a button of another entity writes. */
    field,
    /** That other entity. */
    leaning: leaning.tag,
    /** The name that another user gives it. */
    theirs: `${run.prefix}theirs`,
    rename: (name: string) => save(() => ({ name })),
    restore: async () => {
      await ensure()
      if ((await load()).name !== first.name) await save(() => withoutStoredKeys(first))
    },
    remove: async () => {
      await api.design.remove({ params: { id } })
    },
  }
}
