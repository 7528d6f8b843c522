// The content of a saved view as its reader sees it. A view names fields by attrName; parts with
// fields that are gone, or that the reader may not see, are left out.
import { blankContent, type ViewContent, type ViewLacks } from '@jiaowu/api/entity/list/view'
import {
  footerFunctions,
  type FooterQuery,
  type GroupQuery,
  groupUnits,
} from '@jiaowu/api/entity/list/list-query'
import { limits } from '@jiaowu/api/limits'
import { prunedWhere } from '@jiaowu/api/entity/list/where-parts'
import { table as tableSchema, where as whereSchema } from '@jiaowu/api/contract/shapes'
import * as v from 'valibot'
import type { EntityAccess } from '../../access/access.ts'
import { assertFooter } from '../figures/footer.ts'
import { assertGroup } from '../figures/table.ts'
import { listFields } from '../read/page.ts'
import { compileQuery, type ListQuery } from '../read/query.ts'
import { Invalid } from '../../platform/refusal.ts'

const stored = v.object({
  queries: v.fallback(v.record(v.string(), v.unknown()), {}),
  sorts: v.fallback(v.array(v.object({ column: v.string(), asc: v.boolean() })), []),
  columns: v.fallback(v.nullable(v.array(v.string())), null),
  pageSize: v.fallback(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.maxPageSize)),
    limits.pageSize,
  ),
  where: v.fallback(v.nullable(whereSchema), null),
  group: v.fallback(
    v.nullable(
      v.object({
        column: v.string(),
        by: v.optional(v.picklist(groupUnits)),
        table: v.fallback(v.optional(tableSchema), undefined),
      }),
    ),
    null,
  ),
  footer: v.fallback(
    v.array(v.object({ column: v.string(), fn: v.picklist(footerFunctions) })),
    [],
  ),
  frozen: v.fallback(v.nullable(v.string()), null),
})

/** Parses stored content; a damaged part gets its default. */
export function contentIn(value: unknown): ViewContent {
  return v.parse(stored, {
    ...blankContent,
    ...(typeof value === 'object' && value !== null ? value : {}),
  })
}

const columnsSchema = v.fallback(v.nullable(v.array(v.string())), null)
export const columnsIn = (value: unknown): readonly string[] | null => v.parse(columnsSchema, value)

const widthsSchema = v.fallback(v.record(v.string(), v.number()), {})

export function widthsIn(value: unknown): Readonly<Record<string, number>> {
  return v.parse(widthsSchema, value ?? {})
}

/** Keeps the widths of columns in the caller's list. */
export function widthsFor(
  access: EntityAccess,
  widths: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = listNames(access)
  return Object.fromEntries(Object.entries(widths).filter(([name]) => names.has(name)))
}

function listNames(access: EntityAccess) {
  return new Set(listFields(access).map(({ definition }) => definition.attrName))
}

/** Keeps the columns in the caller's list; null when none remains. */
export function columnsFor(
  access: EntityAccess,
  columns: readonly string[] | null,
): readonly string[] | null {
  if (columns === null) return null
  const names = listNames(access)
  const left = columns.filter((name) => names.has(name))
  return left.length === 0 ? null : left
}

export interface VisibleView {
  readonly content: ViewContent
  readonly lacks: ViewLacks
}

/**
 * The parts of a view that work for the caller, and the number of those that do not. It does not
 * name them: a hidden field must look like a missing one (docs/rules/contract.md#entity-data).
 */
export function visibleContent(
  access: EntityAccess,
  { queries, sorts, columns, pageSize, where, group, footer, frozen }: ViewContent,
): VisibleView {
  const asked = Object.entries(queries)
  const filters = asked.filter(
    ([name, value]) =>
      !isPersonal(access, name) && isAccepted(access, { queries: { [name]: value }, sorts: [] }),
  )
  const order = sorts.filter((sort) => isAccepted(access, { queries: {}, sorts: [sort] }))
  const shown = columnsFor(access, columns)
  const leaves = prunedWhere(
    where,
    (leaf) =>
      !isPersonal(access, leaf.column) &&
      isAccepted(access, { queries: {}, sorts: [], where: { and: [leaf] } }),
  )
  const figures = footer.filter((each) => isFigure(access, each))
  const grouping = group !== null && isGrouping(access, group) ? group : null
  const edge = frozen !== null && listNames(access).has(frozen) ? frozen : null
  return {
    content: {
      queries: Object.fromEntries(filters),
      where: leaves.where,
      sorts: order,
      columns: shown,
      pageSize,
      group: grouping,
      footer: figures,
      frozen: edge,
    },
    lacks: {
      queries: asked.length - filters.length + leaves.gone,
      sorts: sorts.length - order.length,
      columns:
        (columns?.length ?? 0) -
        (shown?.length ?? 0) +
        (footer.length - figures.length) +
        (group === grouping ? 0 : 1) +
        (frozen === edge ? 0 : 1),
    },
  }
}

/** A view may be another person's, and its filters are shown (docs/rules/security.md#d4). */
export function isPersonal({ entity }: EntityAccess, attrName: string): boolean {
  return (entity.field(attrName)?.pii ?? null) !== null
}

const isFigure = (access: EntityAccess, figure: FooterQuery) =>
  passes(() => assertFooter(access, [figure]))
const isGrouping = (access: EntityAccess, group: GroupQuery) =>
  passes(() => assertGroup(access, group))

/** Uses the compiler of lists, so that a view contains nothing a list would refuse. */
function isAccepted(access: EntityAccess, query: ListQuery): boolean {
  return passes(() => compileQuery(access, query))
}

function passes(check: () => unknown): boolean {
  try {
    check()
    return true
  } catch (error) {
    if (error instanceof Invalid) return false
    throw error
  }
}
