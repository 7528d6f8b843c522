// What a saved view means for its reader: it names fields by attrName, and what of it no longer is, or is not theirs to see, is left out.
import { limits, type ViewContent, type ViewLacks } from '@jiaowu/api'
import * as v from 'valibot'
import type { EntityAccess } from '../../access/access.ts'
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
})

/** What was saved, whatever stands there. */
export function contentIn(value: unknown): ViewContent {
  return v.parse(stored, typeof value === 'object' && value !== null ? value : {})
}

const columnsSchema = v.fallback(v.nullable(v.array(v.string())), null)
export const columnsIn = (value: unknown): readonly string[] | null => v.parse(columnsSchema, value)

const widthsSchema = v.fallback(v.record(v.string(), v.number()), {})

export function widthsIn(value: unknown): Readonly<Record<string, number>> {
  return v.parse(widthsSchema, value ?? {})
}

/** Widths of columns the caller's list has. */
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

/** The columns the caller's list has; null when none of those chosen is left. */
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

/** A view as this reader has it, and how much they lack. Nothing tells which: a field that is hidden reads as one that is not there (docs/rules/contract.md#entity-data). */
export function visibleContent(
  access: EntityAccess,
  { queries, sorts, columns, pageSize }: ViewContent,
): VisibleView {
  const asked = Object.entries(queries)
  const filters = asked.filter(([name, value]) =>
    isAccepted(access, { queries: { [name]: value }, sorts: [] }),
  )
  const order = sorts.filter((sort) => isAccepted(access, { queries: {}, sorts: [sort] }))
  const shown = columnsFor(access, columns)
  return {
    content: { queries: Object.fromEntries(filters), sorts: order, columns: shown, pageSize },
    lacks: {
      queries: asked.length - filters.length,
      sorts: sorts.length - order.length,
      columns: (columns?.length ?? 0) - (shown?.length ?? 0),
    },
  }
}

/** Asked the very way a list asks, so that a view never holds what a list would refuse. */
function isAccepted(access: EntityAccess, query: ListQuery): boolean {
  try {
    compileQuery(access, query)
    return true
  } catch (error) {
    if (error instanceof Invalid) return false
    throw error
  }
}
