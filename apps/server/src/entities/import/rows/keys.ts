// The keys by which the rows of a sheet are matched with stored rows: of an export its column of row
// ids, else the cells of the key's columns, read as any cell of their fields.
import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { looksMasked } from '@jiaowu/api/pii'
import { type RawBuilder, sql } from 'kysely'
import { formatTyped } from '../../../model/definition/names.ts'
import { idOfValues, castKeyToText } from '../../../model/definition/row-key.ts'
import { castBack } from '../../../model/fields/cast-back.ts'
import { type Column, columnViolation, familyOf } from '../../../model/fields/column.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { unguardText } from '../../sheets/formula.ts'
import { cellIsBlank, cellText, isWireCell, type RawCell } from '../../sheets/read/model.ts'
import { codesIn } from '../../sheets/coded-name.ts'
import { type Decoded, decodeCell } from './decode.ts'
import type { Draft, Plan, PlanColumn } from './draft.ts'
import type { ParentIds } from './resolve.ts'

export interface KeyFault {
  readonly draft: Draft
  readonly attrName: string
  readonly rule: string
  readonly message: Extract<Decoded, { kind: 'fault' }>['message']
  readonly suggestions: readonly string[]
}

type Problem = Omit<KeyFault, 'draft' | 'attrName'>

/**
 * The possible meanings of the cell in a key's column, the likeliest first; none for a blank cell.
 */
interface KeyCell {
  readonly texts: readonly string[]
  /** Why the cell is no value of its field; told when no stored row has one of the texts. */
  readonly problem: Problem | null
}

/**
 * Sets the keys of the drafts: every text that the key cells may mean, in the order to try them.
 * @returns faults of cells that can be no key
 */
export async function findKeys(plan: Plan, drafts: readonly Draft[]): Promise<KeyFault[]> {
  const { keyColumn } = plan
  if (keyColumn === null) return []
  const open = drafts.filter((draft) => {
    draft.keys = rowIdsIn(plan, draft)
    return draft.keys.length === 0
  })
  if (open.length === 0 || keyColumn.parts.length === 0) return []
  const cells = new Map<PlanColumn, readonly KeyCell[]>()
  for (const part of keyColumn.parts)
    cells.set(
      part,
      part.field.kind.family === 'choice'
        ? await chosenIn(plan, part, open)
        : await canonical(
            plan,
            part,
            open.map((draft) => plainCell(plan, part, draft)),
          ),
    )
  return open.flatMap((draft, at) => {
    const its = keyColumn.parts.map((part) => ({ part, cell: cells.get(part)?.[at] ?? blankKey }))
    draft.keys = combineTexts(its.map(({ cell }) => cell.texts))
    const problems = its.flatMap(({ part, cell: { problem, texts } }) =>
      problem === null
        ? []
        : [{ attrName: part.field.definition.attrName, isWrong: texts.length === 0, ...problem }],
    )
    draft.keyProblem = problems[0] ?? null
    return problems.flatMap(({ isWrong, ...problem }) => (isWrong ? [{ draft, ...problem }] : []))
  })
}

const blankKey: KeyCell = { texts: [], problem: null }

/** The id of a row as it stands in the cell, and without blanks that people add. */
function rowIdsIn({ keyColumn, entity }: Plan, { raw }: Draft): string[] {
  const column = keyColumn?.rowId ?? null
  const own =
    column ??
    (keyColumn?.field === entity.idField && entity.key.length === 1 && !entity.typesKey
      ? (keyColumn.parts[0] ?? null)
      : null)
  if (own === null || (column === null && !isIdText(entity.id))) return []
  const cell = cellAt(raw, own)
  if (cellIsBlank(cell)) return []
  const text = isWireCell(cell) ? cellText(cell) : unguardText(cellText(cell))
  return [...new Set([text, text.trim()])]
}

/** Whether cells show the ids of rows as they are. */
function isIdText(column: Column): boolean {
  return ['text', 'integer', 'uuid', 'other'].includes(familyOf(column) ?? 'text')
}

const cellAt = ({ cells }: Draft['raw'], { index }: PlanColumn): RawCell => cells[index] ?? null

/** The value of a cell, before that its own text: reading tidies blanks and full-width characters. */
function plainCell({ from1904 }: Plan, part: PlanColumn, { raw }: Draft): KeyCell {
  const { field } = part
  const cell = cellAt(raw, part)
  const decoded = decodeCell(field, cell, from1904)
  if (decoded.kind === 'fault')
    return { texts: [], problem: { ...decoded, suggestions: decoded.choices ?? [] } }
  if (decoded.kind !== 'value' || isEmpty(decoded.value as WireValue)) return blankKey
  if (field.pii !== null && looksMasked(decoded.value))
    return {
      texts: [],
      problem: { rule: 'masked', message: { key: 'rule.masked' }, suggestions: [] },
    }
  const stored =
    field.column === null
      ? decoded.value
      : field.storage.store(decoded.value as WireValue, field.column)
  const own = typeof cell === 'string' && field.kind.family === 'text' ? [unguardText(cell)] : []
  return { texts: [...new Set([...own, String(stored)])], problem: null }
}

/** The texts as the database prints them in ids: `1.50` for 1.5, an instant in UTC. */
async function canonical(
  { context }: Plan,
  { field: { column, sealer } }: PlanColumn,
  cells: readonly KeyCell[],
): Promise<readonly KeyCell[]> {
  if (column === null || sealer !== null || isPlain(column)) return cells
  const given = [...new Set(cells.flatMap(({ texts }) => texts))].filter(
    (text) => columnViolation(text, { ...column, length: null }) === null,
  )
  if (given.length === 0) return cells
  const value = exactCast(column)
  const { rows } = await sql<{ given: string; text: string }>`
    select u.v as given, ${castKeyToText(column, value)} as text
    from unnest(${formatTyped(given, 'text[]')}) as u(v)`.execute(databaseOf(context))
  const texts = new Map(rows.map((row) => [row.given, row.text]))
  return cells.map((cell) => ({
    ...cell,
    texts: cell.texts.flatMap((text) => texts.get(text) ?? []),
  }))
}

function exactCast(column: Column): RawBuilder<unknown> {
  const { precision, scale } = column
  return column.type === 'numeric' && precision !== null && scale !== null
    ? sql`u.v::numeric(${sql.lit(precision)}, ${sql.lit(scale)})`
    : castBack(column, sql.ref('u.v'))
}

/** Types whose values have one text; those of other programs are not cast, for a cast may fail. */
function isPlain({ type, ...column }: Column): boolean {
  const family = familyOf({ type, ...column })
  return family === 'other' || (type !== 'bpchar' && (family === 'text' || family === 'integer'))
}

/** The ids of chosen records, resolved by the row's other cells as in any relation cell. */
async function chosenIn(
  plan: Plan,
  part: PlanColumn,
  drafts: readonly Draft[],
): Promise<readonly KeyCell[]> {
  const columns = withParents(plan, part)
  for (const { field } of columns) {
    const { attrName } = field.definition
    const refs = drafts.flatMap(({ decoded }) => refsIn(decoded.get(attrName)))
    await plan.resolver.prepare(
      attrName,
      new Set(refs.flatMap(({ id, word }) => (id === undefined ? [word] : []))),
      new Set(refs.flatMap(({ id }) => id ?? [])),
    )
  }
  const found: KeyCell[] = []
  for (const { decoded } of drafts) {
    const chosen = new Map<string, readonly DictItem[]>()
    let cell = blankKey
    for (const { field } of columns) {
      const { attrName } = field.definition
      const read = decoded.get(attrName)
      const [ref] = refsIn(read)
      if (field === part.field && read?.kind === 'fault')
        cell = { texts: [], problem: { ...read, suggestions: read.choices ?? [] } }
      if (ref === undefined) continue
      const resolved = await plan.resolver.resolve(field, ref, parentsIn(chosen))
      if ('item' in resolved) chosen.set(attrName, [resolved.item])
      if (field !== part.field) continue
      // A record that can no longer be chosen still names its row, by its id.
      cell =
        'item' in resolved
          ? { texts: [resolved.item.id], problem: null }
          : {
              texts: ref.id === undefined ? [...codesIn(ref.word), ref.word] : [ref.id],
              problem: resolved,
            }
    }
    found.push(cell)
  }
  return found
}

function refsIn(decoded: Decoded | undefined) {
  return decoded?.kind === 'refs' ? decoded.refs : []
}

/** The column after those of its cascade parents. */
function withParents({ columns }: Plan, part: PlanColumn): PlanColumn[] {
  const found: PlanColumn[] = []
  const visit = (column: PlanColumn) => {
    if (found.includes(column)) return
    found.unshift(column)
    for (const { attrName } of column.field.definition.options.cascades ?? []) {
      const parent = columns.find(({ field }) => field.definition.attrName === attrName)
      if (parent !== undefined) visit(parent)
    }
  }
  visit(part)
  return found
}

function parentsIn(chosen: ReadonlyMap<string, readonly DictItem[]>): ParentIds {
  return (attrName) => chosen.get(attrName)?.map(({ id }) => id) ?? null
}

/** At most so many readings of the cells of one key. */
const mostReadings = 8

function combineTexts(parts: readonly (readonly string[])[]): string[] {
  if (parts.some((texts) => texts.length === 0)) return []
  const [only, ...more] = parts
  if (only !== undefined && more.length === 0) return [...only]
  const readings = parts.reduce<readonly (readonly string[])[]>(
    (all, texts) =>
      all.flatMap((each) => texts.map((text) => [...each, text])).slice(0, mostReadings),
    [[]],
  )
  return readings.flatMap((values) => idOfValues(values) ?? [])
}
