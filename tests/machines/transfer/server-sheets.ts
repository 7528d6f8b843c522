import type { Field } from '@jiaowu/api/entity/config'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { UploadRequest } from '@jiaowu/machines/transfer/ports'
import { createRow, newValues, type RowSet } from '../../surfaces/server/rows/rows.ts'
import type { RunContext } from '../../surfaces/server/run-context.ts'

/** Rows of a sheet; more than one page of a review. */
export const many = 60

/** The peculiarity of a sheet or of its import, kept in the file name, which the job stores. */
export type Sort = 'rows' | 'wrong' | 'skipped' | 'looked' | 'unmapped' | 'known'
export const oddity: Readonly<Record<Sort, Partial<UploadRequest['choices']>>> = {
  rows: {},
  wrong: {},
  skipped: { onError: 'skip' },
  looked: { dryRun: true },
  unmapped: {},
  known: { mode: 'upsert' },
}
export const lastLacksName = (sort: Sort): boolean => sort === 'wrong' || sort === 'skipped'

export type Sheets = Awaited<ReturnType<typeof sheetsFor>>

/**
 * Sheets of new rows for an entity, headed by the labels of its required fields; each sheet has
 * other rows, and the last row may lack its name.
 */
export async function sheetsFor(run: RunContext, rows: RowSet) {
  const { api } = await run.helper('admin')
  const { config, name, tag } = rows
  const stem = `${run.prefix}t`
  const template = await newValues(api, config, stem)
  const fields = config.fields.filter(({ attrName }) => attrName in template)
  let sheets = 0
  const find = () =>
    api.entityData.page({ params: { tag }, body: { pageSize: 1000, queries: { [name]: stem } } })
  const labelOf = ({ attrName, uiLabel }: Field, sort: Sort) =>
    // The server remembers the assignment of a heading.
    sort === 'unmapped' && attrName === name ? `${stem}${sheets}?` : uiLabel
  const file = (sort: Sort, lines: readonly string[]): File =>
    new File(
      [[fields.map((field) => labelOf(field, sort)).join(','), ...lines].join('\n')],
      `${sort}.csv`,
    )
  const called = (index: number) => `${stem}${sheets}x${String(index).padStart(3, '0')}`
  return {
    fields,
    /** Whether the values must be unique. */
    tellsApart: fields.some(({ unique }) => unique === true),
    make: async (sort: Sort): Promise<File> => {
      if (sort === 'known')
        return file(
          sort,
          await Promise.all(
            rows.aliases.map(async (alias) => {
              const row = await api.entityData.get({ params: { tag, id: rows.idOf(alias) } })
              return fields.map(({ attrName }) => cell(row[attrName] ?? null)).join(',')
            }),
          ),
        )
      sheets += 1
      const cellOf = ({ attrName }: Field, index: number) => {
        if (lastLacksName(sort) && index === many - 1 && attrName === name) return ''
        return template[attrName] === stem ? called(index) : cell(template[attrName] ?? null)
      }
      const lineOf = (_: unknown, index: number) =>
        fields.map((field) => cellOf(field, index)).join(',')
      return file(sort, Array.from({ length: many }, lineOf))
    },
    /** Another user adds the first row of the last sheet. */
    race: async () => {
      await createRow(api, config, called(0))
    },
    count: async () => (await find()).total,
    clear: async () => {
      for (let found = await find(); (found.total ?? 0) > 0; found = await find()) {
        const ids = found.records.slice(0, 500).map(({ id }) => id)
        await api.entityData.remove({ params: { tag, ids: ids.join(',') } })
      }
    },
  }
}

function cell(value: WireValue): string {
  return Array.isArray(value)
    ? (value as readonly { name: string }[]).map(({ name }) => name).join(',')
    : String(value ?? '')
}
