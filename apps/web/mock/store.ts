import { compareNames } from '@jiaowu/api/compare-names'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type {
  FooterQuery,
  FooterValue,
  GroupQuery,
  ListGroup,
  Where,
  WhereLeaf,
} from '@jiaowu/api/entity/list/list-query'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { configOfDraft } from '../src/features/designer/preview/config-of.ts'
import { sampleRows } from '../src/features/designer/preview/sample-rows.ts'

const rowsPerEntity = 9 // sample values stay plausible up to nine rows
const choices = ['甲', '乙', '丙'].map((name, index) => ({ id: String(index + 1), name }))

/** One entity in memory: its configuration, and its rows by id in creation order. */
export interface MockEntity {
  readonly definition: EntityDefinition
  readonly config: EntityConfig
  readonly rows: Map<string, Row>
}

/** Rows of one page, filtered and sorted. */
export interface RowQuery {
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly { readonly column: string; readonly asc: boolean }[]
  readonly where?: Where | undefined
}

/** Every shipped entity with sample rows. Dictionaries without items of their own get three. */
export function createStore(
  definitions: readonly EntityDefinition[],
): ReadonlyMap<string, MockEntity> {
  return new Map(definitions.map((definition) => [definition.tag, buildMockEntity(definition)]))
}

/** Rows that meet every filter, in the order of the sorts, then of creation. */
export function select({ rows }: MockEntity, { queries, sorts, where }: RowQuery): Row[] {
  const wanted = Object.entries(queries).filter(([, value]) => !isBlankFilter(value))
  return [...rows.values()]
    .filter((row) => wanted.every(([attrName, value]) => matchesFilter(row[attrName], value)))
    .filter((row) => where === undefined || meets(row, where))
    .toSorted((a, b) => {
      for (const { column, asc } of sorts) {
        const order = compareNames(formatStoredText(a[column]), formatStoredText(b[column]))
        if (order !== 0) return asc ? order : -order
      }
      return 0
    })
}

/** The rows by the value of a column, in the order of the values. */
export function groupRows(rows: readonly Row[], { column, by }: GroupQuery): ListGroup[] {
  const kept = by === undefined ? null : { day: 10, month: 7, year: 4 }[by]
  const valueOf = (row: Row): WireValue => {
    const value = row[column] ?? null
    return kept === null || value === null ? value : formatStoredText(value).slice(0, kept)
  }
  const found = Map.groupBy(rows, (row) => formatStoredText(valueOf(row)))
  return [...found]
    .toSorted(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : compareToEnd(a, b)))
    .map(([, [first, ...others]]) => ({
      value: first === undefined ? null : valueOf(first),
      count: 1 + others.length,
    }))
}

/** Figures over rows: the largest and smallest by number, else by text. */
export function computeFooter(rows: readonly Row[], asked: readonly FooterQuery[]): FooterValue[] {
  return asked.map(({ column, fn }) => {
    const filled = rows.map((row) => row[column]).filter((value) => !isBlankFilter(value))
    const ordered = filled.toSorted((a, b) => compareToEnd(a, formatStoredText(b)))
    const sum = filled.reduce((total: number, value) => total + Number(formatStoredText(value)), 0)
    const value = {
      count: filled.length,
      empty: rows.length - filled.length,
      distinct: new Set(filled.map(formatStoredText)).size,
      // The double knows no pass marks.
      below: 0,
      sum: filled.length === 0 ? null : sum,
      avg: filled.length === 0 ? null : sum / filled.length,
      min: ordered[0] ?? null,
      max: ordered.at(-1) ?? null,
    }[fn]
    return { column, fn, value }
  })
}

/** Items for a field's choices: the field's own, else three made-up ones. */
export function listChoices(entity: MockEntity, fieldId: string) {
  const field = entity.config.fields.find(({ id }) => id === fieldId)
  return field?.dictData !== undefined && field.dictData.length > 0 ? field.dictData : choices
}

function buildMockEntity(definition: EntityDefinition): MockEntity {
  const known = Object.fromEntries(
    definition.fields.flatMap(({ dictValue }) =>
      dictValue === null ? [] : [[dictValue, choices]],
    ),
  )
  const config = configOfDraft(definition, 'zh-CN', known)
  const rows = sampleRows(config, rowsPerEntity).map((row): [string, Row] => [row.id, row])
  return { definition, config, rows: new Map(rows) }
}

function isBlankFilter(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.every(isBlankFilter))
  )
}

function meets(row: Row, node: Where | WhereLeaf): boolean {
  if ('and' in node) return node.and.every((part) => meets(row, part))
  if ('or' in node) return node.or.length === 0 || node.or.some((part) => meets(row, part))
  const stored = row[node.column]
  if (node.op === 'isEmpty' || node.op === 'notEmpty')
    return isBlankFilter(stored) === (node.op === 'isEmpty')
  if (isBlankFilter(node.value)) return true
  const order = compareToEnd(stored, Array.isArray(node.value) ? '' : node.value)
  switch (node.op) {
    case 'notEqual':
      return !matchesFilter(stored, node.value)
    case 'gt':
      return order > 0
    case 'ge':
      return order >= 0
    case 'lt':
      return order < 0
    case 'le':
      return order <= 0
    default:
      return matchesFilter(stored, node.value)
  }
}

/** Ranges compare as text or numbers, lists by any of their items, everything else by containing. */
function matchesFilter(stored: WireValue | undefined, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (Array.isArray(stored)) {
      const ids = new Set(wanted.map(readItemId))
      return (stored as readonly { readonly id: string }[]).some(({ id }) => ids.has(id))
    }
    const [from, to] = wanted as readonly unknown[]
    return (
      (isBlankFilter(from) || compareToEnd(stored, from) >= 0) &&
      (isBlankFilter(to) || compareToEnd(stored, to) <= 0)
    )
  }
  if (Array.isArray(stored))
    return (stored as readonly { readonly id: string }[]).some(
      ({ id }) => id === readItemId(wanted),
    )
  return formatStoredText(stored).toLowerCase().includes(String(wanted).toLowerCase())
}

function compareToEnd(stored: WireValue | undefined, end: unknown): number {
  return compareNames(formatStoredText(stored), String(end))
}

function readItemId(item: unknown): string {
  return typeof item === 'object' && item !== null && 'id' in item ? String(item.id) : String(item)
}

function formatStoredText(value: WireValue | undefined): string {
  return Array.isArray(value)
    ? (value as readonly { readonly name: string }[]).map(({ name }) => name).join(' ')
    : String(value ?? '')
}
