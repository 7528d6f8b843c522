import { type EntityConfig, limits, type Page, type PageQuery, type Sort } from '@jiaowu/api'

/** Filters and sorts a list opens with. */
export interface Preset {
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
}
export const noPreset: Preset = { queries: {}, sorts: [] }

/**
 * The preset of a query string (docs/spec/1-entity-console.md §2): every key not starting with an underscore and other than `sorts` is a filter;
 * `sorts` is a comma list of `column:direction`, where `false` means descending. Two values joined by `..` are a range.
 */
export function presetOf(search: string): Preset {
  const params = new URLSearchParams(search)
  const queries = Object.fromEntries(
    [...params]
      .filter(([key]) => !key.startsWith('_') && key !== 'sorts' && key !== '')
      .map(([key, value]) => [
        key,
        value.includes('..') ? value.split('..', 2).map((end) => (end === '' ? null : end)) : value,
      ]),
  )
  const sorts = (params.get('sorts') ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [column = '', direction] = part.split(':')
      return { column, asc: direction !== 'false' }
    })
    .filter(({ column }) => column !== '')
  return { queries, sorts }
}

/** Ascending, descending, none (docs/spec/1-entity-console.md §4). Without `multi` the other columns' sorts go. */
export function cycleSort(sorts: readonly Sort[], column: string, multi: boolean): readonly Sort[] {
  const now = sorts.find((sort) => sort.column === column)
  const next: Sort[] =
    now === undefined ? [{ column, asc: true }] : now.asc ? [{ column, asc: false }] : []
  if (!multi) return next
  if (now === undefined) return [...sorts, ...next].slice(-limits.maxSorts)
  return sorts.flatMap((sort) => (sort.column === column ? next : [sort]))
}

/** Filters worth sending: empty ones mean "any". */
export function filledQueries(
  queries: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(queries).filter(([, value]) => !isBlank(value)))
}

function isBlank(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.every(isBlank))
  )
}

export function selects({ options }: EntityConfig): boolean {
  return options.selection && (options.multiSelect || options.singleSelect)
}

export function selectsMany(config: EntityConfig): boolean {
  return selects(config) && config.options.multiSelect && !config.options.singleSelect
}

/** Which rows are chosen: those of the page, or (`matching` not null) all that the filter finds but those. */
export interface Selection {
  readonly selected: readonly string[]
  readonly matching: readonly string[] | null
}
/** The same, as calls name it. */
export type Chosen = { readonly ids: readonly string[] } | { readonly except: readonly string[] }

export function chosenOf({ selected, matching }: Selection): Chosen {
  return matching === null ? { ids: selected } : { except: matching }
}

/** What of a page that came is chosen. */
export function selectedOn(
  { records }: Page,
  { selected, matching }: Selection,
): readonly string[] {
  return matching === null
    ? selected.filter((id) => records.some((row) => row.id === id))
    : without(
        records.map(({ id }) => id),
        matching,
      )
}

function without(ids: readonly string[], gone: readonly string[]): readonly string[] {
  return ids.filter((id) => !gone.includes(id))
}

/** After a row is clicked: a single-select table keeps the last row only (docs/spec/1-entity-console.md §4); of all of a filter it is excepted, or no longer. */
export function toggleRow(
  { options }: EntityConfig,
  { selected, matching }: Selection,
  id: string,
): Selection {
  const isOn = selected.includes(id)
  const rest = without(selected, [id])
  return {
    selected: isOn ? rest : options.singleSelect || !options.multiSelect ? [id] : [...selected, id],
    matching: matching === null ? null : isOn ? [...matching, id] : without(matching, [id]),
  }
}

/** After the box above all rows of the page is clicked. */
export function toggleRows(page: readonly string[], { selected, matching }: Selection): Selection {
  return page.every((id) => selected.includes(id))
    ? { selected: [], matching: null }
    : { selected: page, matching: matching === null ? null : without(matching, page) }
}

export function pageQueryOf({
  applied,
  sorts,
  pageNum,
  pageSize,
}: {
  applied: Readonly<Record<string, unknown>>
  sorts: readonly Sort[]
  pageNum: number
  pageSize: number
}): PageQuery {
  return { pageNum, pageSize, sorts, queries: filledQueries(applied) }
}

export function lastPage(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size))
}

/** The page to show instead of one that turned out empty. The total may be an estimate, and wrong: then the first page ends the search. */
export function nearestPage(total: number, size: number, pageNum: number): number {
  const last = lastPage(total, size)
  return last < pageNum ? last : 1
}
