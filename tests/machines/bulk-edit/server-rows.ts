import type { Values } from '@jiaowu/api/entity/values'
import { type Faults, isRefused, expectSame } from '../../surfaces/server/checks.ts'
import { linkTo } from '../../surfaces/server/fixtures.ts'
import { createRow, plainText, type RowSet } from '../../surfaces/server/rows/rows.ts'
import type { Api } from '../../surfaces/server/run-context.ts'

/**
 * The row that is not changed when only some are: used by another row, or saved by another user.
 */
export const spared = '10'
export type BulkRows = ReturnType<typeof bulkRows>

/** The rows that jobs change, as another user reads and writes them. */
export function bulkRows(api: Api, rows: RowSet, children: RowSet) {
  const { entityData } = api,
    { tag, stem } = rows,
    attr = plainText(rows),
    doomed = rows.aliases.filter((alias) => alias.startsWith('1'))
  let child: string | null = null,
    count = 0,
    lastSet: Values = {}
  const get = (alias: string) => entityData.get({ params: { tag, id: rows.idOf(alias) } })
  const write = async (alias: string, values: Values) => {
    const { id, version } = await get(alias)
    await entityData.update({ params: { tag, id }, body: { ...values, version } })
  }
  const release = async () => {
    if (child !== null) await entityData.remove({ params: { tag: children.tag, ids: child } })
    child = null
  }
  const faultsOf = async (alias: string, isDone: boolean): Promise<Faults> => {
    if (attr in lastSet)
      return expectSame(
        `${attr} of row ${alias}`,
        isDone,
        (await get(alias))[attr] === lastSet[attr],
      )
    return isDone
      ? isRefused(`reading deleted row ${alias}`, get(alias), 404)
      : expectSame(`row ${alias}`, rows.idOf(alias), (await get(alias)).id)
  }
  return {
    rows,
    /** The field that jobs set. */
    attr,
    /** The rows that are selected. */
    doomed,
    /** The rows exist, and nothing uses them. */
    renew: async () => {
      await release()
      await rows.look()
      await rows.ensure()
    },
    /** The values of the next job: another one each time, since an equal one changes nothing. */
    nextValues: (isDeletion: boolean): Values => {
      count += 1
      lastSet = isDeletion ? {} : { [attr]: `${stem}v${count}` }
      return lastSet
    },
    /** The rows have the values of the job already. */
    anticipate: async () => {
      for (const alias of doomed) await write(alias, lastSet)
    },
    /** Another user saves the spared row. */
    alter: async () => {
      count += 1
      await write(spared, { [attr]: `${stem}theirs${count}` })
    },
    /** Another row uses the spared one, until `release`. */
    hold: async () => {
      const used = [{ id: rows.idOf(spared), name: '' }]
      const given = { [linkTo(children, tag).attrName]: used }
      child = (await createRow(api, children.config, `${stem}h`, given)).id
    },
    release,
    /** Whether the job has changed (or deleted) these rows and no others of the selected. */
    changed: async (done: readonly string[]): Promise<Faults> => {
      const faults = await Promise.all(doomed.map((alias) => faultsOf(alias, done.includes(alias))))
      if (!(attr in lastSet)) rows.forget(done.map(rows.idOf))
      return faults
    },
  }
}
