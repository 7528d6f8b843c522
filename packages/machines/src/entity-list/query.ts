import { type EntityConfig, limits, type PageQuery, type Sort } from '@jiaowu/api'

/** Filters and sorts a list opens with. */
export interface Preset { readonly queries: Readonly<Record<string, unknown>>; readonly sorts: readonly Sort[] }
export const noPreset: Preset = { queries: {}, sorts: [] }

/**
 * The preset of a query string (console spec §2): every key not starting with an underscore and other than `sorts` is a filter;
 * `sorts` is a comma list of `column:direction`, where `false` means descending. Two values joined by `..` are a range.
 */
export const presetOf = (search: string): Preset => {
  const params = new URLSearchParams(search)
  const queries = Object.fromEntries([...params].filter(([key]) => !key.startsWith('_') && key !== 'sorts' && key !== '').map(([key, value]) => [key, value.includes('..') ? value.split('..', 2).map((end) => (end === '' ? null : end)) : value]))
  const sorts = (params.get('sorts') ?? '').split(',').filter((part) => part !== '').map((part) => { const [column = '', direction] = part.split(':'); return { column, asc: direction !== 'false' } }).filter(({ column }) => column !== '')
  return { queries, sorts }
}

/** Ascending, descending, none (console spec §4). Without `multi` the other columns' sorts go. */
export const cycleSort = (sorts: readonly Sort[], column: string, multi: boolean): readonly Sort[] => {
  const now = sorts.find((sort) => sort.column === column)
  const next: Sort[] = now === undefined ? [{ column, asc: true }] : now.asc ? [{ column, asc: false }] : []
  if (!multi) return next
  if (now === undefined) return [...sorts, ...next].slice(-limits.maxSorts)
  return sorts.flatMap((sort) => (sort.column === column ? next : [sort]))
}

const isBlank = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.every(isBlank))
/** Filters worth sending: empty ones mean "any". */
export const filledQueries = (queries: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(queries).filter(([, value]) => !isBlank(value)))

/** Selection after a row is clicked: a single-select table keeps the last row only (console spec §4). */
export const toggleRow = (config: EntityConfig, selected: readonly string[], id: string): readonly string[] => {
  if (selected.includes(id)) return selected.filter((other) => other !== id)
  return config.options.singleSelect || !config.options.multiSelect ? [id] : [...selected, id]
}
export const selects = ({ options }: EntityConfig): boolean => options.selection && (options.multiSelect || options.singleSelect)

export const pageQueryOf = ({ applied, sorts, pageNum, pageSize }: { applied: Readonly<Record<string, unknown>>; sorts: readonly Sort[]; pageNum: number; pageSize: number }): PageQuery => ({ pageNum, pageSize, sorts, queries: filledQueries(applied) })
export const lastPage = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))
/** The page to show instead of one that turned out empty. The total may be an estimate, and wrong: then the first page ends the search. */
export const nearestPage = (total: number, size: number, pageNum: number): number => { const last = lastPage(total, size); return last < pageNum ? last : 1 }
