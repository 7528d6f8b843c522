// Why a view, or a column of it, can be no part of a definition, in words for its author
// (docs/rules/security.md#views).
import { t } from '@jiaowu/api/texts/index'
import type { DesignContext } from '@jiaowu/validation'
import type { Context } from '../../model/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import {
  type BaseMarks,
  inheritedMark,
  refusalOfColumn,
  refusalOfRows,
} from '../../model/definition/origins/view-guard.ts'
import { productMark } from '../../model/definition/registry/marks.ts'

/** Collects the marks of a school's entities on the columns of tables. */
export function marksOfEntities(entities: readonly LoadedEntity[]): BaseMarks {
  const fields = new Map(
    [...Map.groupBy(entities, tableKey)].map(([table, its]) => [
      table,
      Map.groupBy(
        its.flatMap((entity) => entity.fields).filter(({ column }) => column !== null),
        ({ column }) => column?.name ?? '',
      ),
    ]),
  )
  const on = (table: string, column: string) => fields.get(table)?.get(column) ?? []
  return {
    markOf: (table, column) =>
      productMark(`${table}.${column}`) ??
      on(table, column).find(({ pii }) => pii !== null)?.pii ??
      null,
    isPassword: (table, column) => on(table, column).some(({ kind }) => kind.secret),
  }
}

export interface ViewRefusals extends Required<
  Pick<DesignContext, 'refusedColumn' | 'refusedRows'>
> {
  readonly refusedColumn: (table: string, column: string) => string | null
  readonly refusedRows: (table: string) => string | null
  /** The kind of personal data that the column of a view has from its tables. */
  readonly markOf: (table: string, column: string) => ReturnType<BaseMarks['markOf']>
}

export async function viewRefusals({
  registry,
  subject,
  locale,
}: Pick<Context, 'registry' | 'subject' | 'locale'>): Promise<ViewRefusals> {
  const entities = await registry.all(subject.tenant)
  const catalog = await registry.catalog()
  const marks = marksOfEntities(entities)
  const schools = new Set(
    entities
      .filter(({ definition }) => definition.options.systemColumns?.includes('tenant_id'))
      .map(tableKey),
  )
  return {
    refusedColumn: (table, column) => {
      const known = catalog.get(table)
      const refusal = known === undefined ? null : refusalOfColumn(known, column, marks)
      return refusal === null ? null : t(locale, `view.column.${refusal}`)
    },
    refusedRows: (table) => {
      const known = catalog.get(table)
      const refusal =
        known === undefined
          ? null
          : refusalOfRows(
              known,
              (name) => catalog.get(name),
              (name) => schools.has(name),
            )
      if (refusal === null) return null
      return refusal.reason === 'unknown'
        ? t(locale, 'view.rows.unknown')
        : t(locale, 'view.rows.school', { table: refusal.table })
    },
    markOf: (table, column) => {
      const known = catalog.get(table)
      return known === undefined ? null : inheritedMark(known, column, marks)
    },
  }
}
