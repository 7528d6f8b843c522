import type { Values } from '@jiaowu/api'
import { type Faults, isRefused, same } from '../../surfaces/server/checks.ts'
import { linkTo } from '../../surfaces/server/fixtures.ts'
import { createRow, plainText, type RowSet } from '../../surfaces/server/rows/rows.ts'
import type { Api } from '../../surfaces/server/run-context.ts'

/**
 * The row that is not changed when only some are: used by another row, or saved by another user.
 */
export const spared = '10'

/** The rows that jobs change, as another user reads and writes them. */
export class BulkRows {
  readonly rows: RowSet
  /** The field that jobs set. */
  readonly attr: string
  /** The rows that are selected. */
  readonly doomed: readonly string[]
  private readonly api: Api
  private readonly children: RowSet
  private child: string | null = null
  private count = 0
  /** The values of the last job; empty for a deletion. */
  private values: Values = {}

  constructor(api: Api, rows: RowSet, children: RowSet) {
    this.api = api
    this.rows = rows
    this.children = children
    this.attr = plainText(rows)
    this.doomed = rows.aliases.filter((alias) => alias.startsWith('1'))
  }

  get deletes(): boolean {
    return !(this.attr in this.values)
  }

  /** The rows exist, and nothing uses them. */
  async renew(): Promise<void> {
    await this.release()
    await this.rows.look()
    await this.rows.ensure()
  }

  /** The values of the next job: another one each time, since an equal one changes nothing. */
  nextValues(isDeletion: boolean): Values {
    this.count += 1
    this.values = isDeletion ? {} : { [this.attr]: `${this.rows.stem}v${this.count}` }
    return this.values
  }

  /** The rows have the values of the job already. */
  async anticipate(): Promise<void> {
    for (const alias of this.doomed) await this.write(alias, this.values)
  }

  /** Another user saves the spared row. */
  async alter(): Promise<void> {
    this.count += 1
    await this.write(spared, { [this.attr]: `${this.rows.stem}theirs${this.count}` })
  }

  /** Another row uses the spared one, until `release`. */
  async hold(): Promise<void> {
    const link = linkTo(this.children, this.rows.tag).attrName
    const { id } = await createRow(this.api, this.children.config, `${this.rows.stem}h`, {
      [link]: [{ id: this.rows.idOf(spared), name: '' }],
    })
    this.child = id
  }

  async release(): Promise<void> {
    if (this.child !== null)
      await this.api.entityData.remove({ params: { tag: this.children.tag, ids: this.child } })
    this.child = null
  }

  /** Whether the job has changed (or deleted) these rows and no others of the selected. */
  async changed(done: readonly string[]): Promise<Faults> {
    const faults = await Promise.all(
      this.doomed.map((alias) => this.faultsOf(alias, done.includes(alias))),
    )
    if (this.deletes) this.rows.forget(done.map(this.rows.idOf))
    return faults
  }

  private async faultsOf(alias: string, isDone: boolean): Promise<Faults> {
    const { attr, rows } = this,
      id = rows.idOf(alias)
    const get = this.api.entityData.get({ params: { tag: rows.tag, id } })
    if (this.deletes)
      return isDone
        ? isRefused(`reading deleted row ${alias}`, get, 404)
        : same(`row ${alias}`, id, (await get).id)
    return same(`${attr} of row ${alias}`, isDone, (await get)[attr] === this.values[attr])
  }

  private async write(alias: string, values: Values): Promise<void> {
    const params = { tag: this.rows.tag, id: this.rows.idOf(alias) }
    const { version } = await this.api.entityData.get({ params })
    await this.api.entityData.update({ params, body: { ...values, version } })
  }
}
