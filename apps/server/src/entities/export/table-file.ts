// A table of groups as a file: the heads, the groups and the totals of the list.
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type {
  Dimension,
  GroupFigure,
  GroupQuery,
  GroupTable,
  TableCell,
  Where,
} from '@jiaowu/api/entity/list/list-query'
import type { WireValue } from '@jiaowu/api/entity/values'
import { isMoney } from '@jiaowu/api/fields/money'
import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { Readable } from 'node:stream'
import type { EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { entityName } from '../../model/definition/loaded.ts'
import { Invalid } from '../../platform/refusal.ts'
import { countsRows } from '../figures/footer.ts'
import { computeTable } from '../figures/table.ts'
import { listField } from '../read/filter/times.ts'
import { buildFilterFault } from '../read/query.ts'
import { toSheetCell } from '../sheets/cells.ts'
import type { Cell, SheetColumn } from '../sheets/format.ts'
import { sheetWriters } from '../sheets/writers.ts'

interface TableRequest {
  readonly queries: Readonly<Record<string, unknown>>
  readonly where?: Where | undefined
  readonly format: ExportFormat
  readonly group: GroupQuery
}

/** @throws Invalid for a table that the caller does not have, and for too many groups */
export async function createTableFile(
  context: Context,
  access: EntityAccess,
  { queries, where, format, group }: TableRequest,
): Promise<{ file: Readable; groups: number }> {
  const { locale } = context
  const page = { size: limits.tableGroups, offset: 0 }
  const { table, groups } = await computeTable(context, access, { queries, where, group }, page)
  if (groups > limits.tableGroups) {
    const message = { key: 'entity.tableTooMany', params: { n: limits.tableGroups } } as const
    throw new Invalid([buildFilterFault('group', 'range', message)])
  }
  const named = createNamer(access, locale)
  const measures = listMeasures(access, group.table?.figures ?? [], locale)
  const heads = [
    ...table.heads.map((head) => named(group.table?.across ?? group, head)),
    ...(table.heads.length > 0 ? [t(locale, 'table.total')] : []),
  ]
  const columns: SheetColumn[] = [
    { header: labelField(access, group.column, locale), type: 'text', width: 24 },
    ...(heads.length === 0 ? [''] : heads).flatMap((head) =>
      measures.map(({ title, decimals, isNumber }) => ({
        header: head === '' ? title : measures.length === 1 ? head : `${head} · ${title}`,
        type: isNumber ? ('number' as const) : ('text' as const),
        decimals,
        width: 14,
      })),
    ),
  ]
  const cellsIn = (cells: readonly (TableCell | null)[], all: TableCell): Cell[] =>
    [...cells, all].flatMap((cell) =>
      measures.map(({ read }) => (cell === null ? null : read(cell))),
    )
  const lines: Cell[][] = [
    ...table.rows.map(({ value, cells, all }) => [named(group, value), ...cellsIn(cells, all)]),
    [t(locale, 'table.total'), ...cellsIn(table.totals, table.all)],
  ]
  const file = sheetWriters[format].write({
    sheetName: entityName(access.entity, locale),
    columns,
    cells: () => inOneChunk(lines),
    objects: () => inOneChunk(listObjects(table, group)),
  })
  return { file, groups }
}

async function* inOneChunk<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield await Promise.resolve(rows)
}

function listObjects({ heads, rows }: GroupTable, { column, table }: GroupQuery) {
  return rows.flatMap(({ value, cells, all }): Record<string, unknown>[] => [
    ...cells.flatMap((cell, index) =>
      cell === null
        ? []
        : [{ [column]: value, [table?.across?.column ?? '']: heads[index] ?? null, ...cell }],
    ),
    { [column]: value, ...all },
  ])
}

interface Measure {
  readonly title: string
  readonly isNumber: boolean
  readonly decimals?: number | undefined
  readonly read: (cell: TableCell) => Cell
}

/** The number of rows, and the figures. */
function listMeasures(
  access: EntityAccess,
  figures: readonly GroupFigure[],
  locale: Locale,
): Measure[] {
  return [
    { title: t(locale, 'table.count'), isNumber: true, read: ({ count }) => count },
    ...figures.map(({ column, fn, name }, index): Measure => {
      const field = listField(access.entity, column)
      const isNumber = countsRows[fn] || field?.kind.family === 'number'
      const isAmount = !countsRows[fn] && field !== undefined && isMoney(field.definition)
      const own = field?.definition.options.precision
      return {
        title: name ?? `${labelField(access, column, locale)} ${t(locale, `figure.${fn}`)}`,
        isNumber,
        decimals: countsRows[fn] ? 0 : isAmount || fn === 'avg' ? Math.max(own ?? 0, 2) : own,
        read: (cell) => {
          const value = cell.figures[index] ?? null
          if (value === null) return null
          if (!isNumber) return field === undefined ? null : toSheetCell(field, value, locale)
          return isAmount ? Number(value) / 100 : Number(value)
        },
      }
    }),
  ]
}

function createNamer({ entity }: EntityAccess, locale: Locale) {
  return ({ column, by }: Dimension, value: WireValue): string => {
    const field = listField(entity, column)
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
    if (isEmpty || field === undefined) return t(locale, 'group.empty')
    const cell = by === undefined ? toSheetCell(field, value, locale) : String(value)
    return cell === null ? t(locale, 'group.empty') : String(cell)
  }
}

function labelField({ entity }: EntityAccess, column: string, locale: Locale): string {
  const definition = listField(entity, column)?.definition
  const english = locale === 'en' ? (definition?.options.labelEn ?? '') : ''
  return english === '' ? (definition?.uiLabel ?? column) : english
}
