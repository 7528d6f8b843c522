// Checks the rows of a chunk by the rules of the entity's form. The verdict of each: new, changed
// with the changed cells, unchanged, or wrong with the reasons.
import { cutText } from '@jiaowu/api/cut-text'
import type { DictItem, Row, WireValue } from '@jiaowu/api/entity/values'
import { type FormMode, isDerived } from '@jiaowu/api/entity/config'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import type { Context } from '../../../model/context.ts'
import type { EntityAccess } from '../../../access/access.ts'
import {
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../../model/definition/loaded.ts'
import { unpairedFault } from '../../../model/definition/named-target.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { takenMessage } from '../../write/accounts.ts'
import { type Body, checkValues, isSameValue } from '../../write/values/values.ts'
import { withFollowed } from '../../write/values/derive.ts'
import { defaultChanges, isServers } from '../../write/write.ts'
import type { Fault } from '../../../platform/refusal.ts'
import { toSheetCell } from '../../sheets/cells.ts'
import type { Cell } from '../../sheets/format.ts'
import { unguardText } from '../../sheets/formula.ts'
import {
  cellIsBlank,
  cellText,
  isOddCell,
  isWireCell,
  type RawCell,
  type RawRow,
} from '../../sheets/read/model.ts'
import { decodeCell } from './decode.ts'
import type { LedgerRow, RowFault } from '../../jobs/job.ts'
import type { ParentIds } from './resolve.ts'
import type { Draft, Plan, PlanColumn } from './draft.ts'
import { findKeys } from './keys.ts'
import { ledgerRow } from './ledger-row.ts'
import { shownCell, withoutPersonal } from './personal.ts'
import { findStored, narrowAccess } from './stored.ts'
import { findTaken } from './unique.ts'

/** Adds to a plan what is computed once for all rows. */
export function preparePlan(plan: Omit<Plan, 'rest'>): Plan {
  const isMapped = (field: LoadedField) => plan.columns.some((column) => column.field === field)
  const defaultFor = ({ definition: { attrName } }: LoadedField) =>
    plan.defaults.get(attrName) ?? null
  const narrow = (access: EntityAccess | null) =>
    access === null ? null : narrowAccess(access, isMapped)
  const rest =
    plan.add === null
      ? { changes: [], faults: [] }
      : checkValues(
          narrowAccess(plan.add, (field) => !isMapped(field)),
          {},
          'add',
          defaultFor,
          plan.passwordLength,
        )
  return { ...plan, add: narrow(plan.add), update: plan.update, rest }
}

const cellAt = ({ cells }: RawRow, { index }: PlanColumn): RawCell => cells[index] ?? null

const normalizeLines = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Checks a chunk. Rows are returned in the order of the sheet. */
export async function planRows(plan: Plan, raws: readonly RawRow[]): Promise<LedgerRow[]> {
  const drafts = raws.map((raw) => draftRow(plan, raw))
  for (const { draft, attrName, rule, message, suggestions } of await findKeys(plan, drafts))
    addFault(plan, draft, attrName, rule, message, suggestions)
  await findStored(plan, drafts)
  for (const draft of drafts) admit(plan, draft)
  await prepareChoices(plan, drafts)
  const ordered = sortByCascade(plan.columns.filter((column) => isValue(plan, column)))
  for (const draft of drafts) if (draft.errors.length === 0) await judge(plan, draft, ordered)
  await derive(plan, drafts)
  const [right, wrong] = [
    drafts.filter(({ errors }) => errors.length === 0),
    drafts.filter(({ errors }) => errors.length > 0),
  ]
  // New rows that are wrong also tell that they exist: their import should change them.
  const existing =
    plan.options.mode === 'insert' && wrong.length > 0
      ? await findTaken({ ...plan, uniques: { ...plan.uniques, seen: () => null } }, wrong)
      : []
  for (const { draft, attrName, firstRow } of [...(await findTaken(plan, right)), ...existing]) {
    if (firstRow === null)
      addFault(plan, draft, attrName, 'unique', takenMessage(plan.entity, attrName))
    else
      addFault(plan, draft, attrName, 'duplicate', {
        key: 'transfer.rule.duplicate',
        params: { row: plan.rowName(firstRow) },
      })
  }
  const rows: LedgerRow[] = []
  for (const draft of drafts) rows.push(await ledgerRow(plan, draft))
  return rows
}

function draftRow(plan: Plan, raw: RawRow): Draft {
  const decoded = new Map(
    plan.columns
      .filter((column) => isValue(plan, column))
      .map((column) => [
        column.field.definition.attrName,
        decodeCell(column.field, cellAt(raw, column), plan.from1904),
      ]),
  )
  const none = { key: null, keyProblem: null, stored: null }
  return { raw, decoded, keys: [], ...none, errors: [], changes: [] }
}

/** A key that users type is a value of the row as well. Columns of derived fields are ignored. */
function isValue({ entity }: Plan, { field, isRowId }: PlanColumn): boolean {
  return (
    isRowId !== true &&
    (field !== entity.idField || entity.typesKey) &&
    !isDerived(field.definition)
  )
}

/** Adds the derived values of the rows that are right so far. */
async function derive(plan: Plan, drafts: readonly Draft[]): Promise<void> {
  const right = drafts.filter(({ errors }) => errors.length === 0)
  const derived = await plan.derive(
    databaseOf(plan.context),
    right.map(({ stored, changes }) => ({ id: stored?.row.id ?? null, changes })),
  )
  for (const [i, draft] of right.entries()) {
    addFaults(plan, draft, derived[i]?.faults ?? [])
    draft.changes = withFollowed(draft.changes, derived[i]?.changes ?? [])
  }
}

function addFault(
  plan: Plan,
  draft: Draft,
  attrName: string | null,
  rule: string,
  message: RowFault['message'],
  suggestions: readonly string[] = [],
): void {
  if (draft.errors.some((error) => error.attrName !== null && error.attrName === attrName)) return // one fault per cell
  const column =
    plan.columns.find(
      ({ field, isRowId }) => isRowId !== true && field.definition.attrName === attrName,
    ) ?? plan.columns.find(({ field }) => field.definition.attrName === attrName)
  draft.errors.push({
    column: column?.header ?? (attrName === null ? '' : plan.labelOf(attrName)),
    attrName,
    value: column === undefined ? '' : shownValue(column.field, cellAt(draft.raw, column)),
    rule,
    message: withoutPersonal(message),
    suggestions,
  })
}

/** The cell in an error, without personal data. */
function shownValue(field: LoadedField, cell: RawCell): string {
  const text = shownCell(field, cellText(cell))
  return cutText(text, 100, { mark: '…' })
}

/** Checks the key alone: missing, unknown or repeated in the file. */
function admit(plan: Plan, draft: Draft): void {
  const {
    options: { mode },
    keyColumn,
  } = plan
  if (mode === 'insert' || draft.errors.length > 0) return
  const isId = keyColumn?.field === plan.entity.idField && !plan.entity.typesKey
  if (draft.key === null) {
    if (mode === 'update') addKeyFault(plan, draft, 'keyEmpty', { key: 'transfer.rule.keyEmpty' })
    return
  }
  if (draft.stored === null && (mode === 'update' || isId)) {
    const problem = draft.keyProblem
    if (problem === null) addNoRecord(plan, draft)
    else addFault(plan, draft, problem.attrName, problem.rule, problem.message, problem.suggestions)
  }
  const first = plan.uniques.seen(`key ${draft.key}`, draft.raw.row)
  if (first !== null)
    addKeyFault(plan, draft, 'duplicate', {
      key: 'transfer.rule.duplicate',
      params: { row: plan.rowName(first) },
    })
}

function addNoRecord(plan: Plan, draft: Draft): void {
  addKeyFault(plan, draft, 'noRecord', { key: 'transfer.rule.noRecord' })
}

/** A fault of the key, which may stand in several cells. */
function addKeyFault(plan: Plan, draft: Draft, rule: string, message: RowFault['message']): void {
  const { keyColumn } = plan
  const { rowId = null, parts = [] } = keyColumn ?? {}
  const [part, ...more] = rowId === null || cellIsBlank(cellAt(draft.raw, rowId)) ? parts : [rowId]
  if (keyColumn === null || part === undefined || more.length === 0) {
    const { attrName } = (part ?? keyColumn)?.field.definition ?? { attrName: null }
    addFault(plan, draft, attrName, rule, message)
    return
  }
  const { attrName } = keyColumn.field.definition
  if (draft.errors.some((error) => error.attrName === attrName)) return
  const cells = [part, ...more].map((each) => shownValue(each.field, cellAt(draft.raw, each)))
  draft.errors.push({
    column: keyColumn.header,
    attrName,
    value: cells.join('、'),
    rule,
    message: withoutPersonal(message),
    suggestions: [],
  })
}

/** Looks up all choices of the chunk at once. */
async function prepareChoices(plan: Plan, drafts: readonly Draft[]): Promise<void> {
  const columns = plan.columns.filter(({ field }) => field.kind.family === 'choice')
  const cascading = valueFields(plan.entity).filter(
    ({ definition }) => (definition.options.cascades ?? []).length > 0,
  )
  for (const field of new Set([...columns.map((column) => column.field), ...cascading])) {
    const { attrName } = field.definition
    const [words, ids] = [new Set<string>(), new Set<string>()]
    for (const { decoded, stored } of drafts) {
      const cell = decoded.get(attrName)
      if (cell?.kind === 'refs')
        for (const ref of cell.refs)
          if (ref.id === undefined) words.add(ref.word)
          else ids.add(ref.id)
      const held = stored?.row[attrName]
      if (Array.isArray(held)) for (const { id } of held as readonly DictItem[]) ids.add(id)
    }
    await plan.resolver.prepare(attrName, words, ids)
  }
}

/** Columns of cascade parents first: a parent's value tells apart records of the same name. */
function sortByCascade(columns: readonly PlanColumn[]): PlanColumn[] {
  const depth = (column: PlanColumn, seen: readonly PlanColumn[] = []): number => {
    const parents = columns.filter(({ field }) =>
      (column.field.definition.options.cascades ?? []).some(
        ({ attrName }) => attrName === field.definition.attrName,
      ),
    )
    return seen.includes(column)
      ? 0
      : Math.max(0, ...parents.map((parent) => depth(parent, [...seen, column]) + 1))
  }
  return columns.toSorted((a, b) => depth(a) - depth(b))
}

async function judge(plan: Plan, draft: Draft, ordered: readonly PlanColumn[]): Promise<void> {
  const body = await buildRowBody(plan, draft, ordered)
  const asBody: Body = Object.fromEntries(body)
  const mode: FormMode = draft.stored === null ? 'add' : 'edit'
  const access = draft.stored?.access ?? plan.add
  if (access === null) {
    addNoRecord(plan, draft)
    return
  }
  const { stored } = draft
  const { changes, faults } = checkValues(
    access,
    asBody,
    mode,
    ({ definition: { attrName } }) =>
      stored === null ? (plan.defaults.get(attrName) ?? null) : (stored.row[attrName] ?? null),
    plan.passwordLength,
  )
  addFaults(
    plan,
    draft,
    stored === null
      ? [...faults, ...plan.rest.faults]
      : faults.map((each) => heldFault(plan, draft, each)),
  )
  const given = stored === null ? [...changes, ...plan.rest.changes] : changes
  draft.changes =
    stored === null
      ? [...given, ...defaultChanges(plan.entity, given, plan.defaults, isServers(plan.entity))]
      : changes.filter(({ field, value }) =>
          field.kind.secret
            ? !isEmpty(value)
            : !isSameValue(value, stored.row[field.definition.attrName] ?? null),
        )
  if (draft.errors.length === 0) checkCascades(plan, draft)
}

/** A cell that cannot be changed says what the record has there, unless that is personal data. */
function heldFault({ entity, context }: Plan, { stored }: Draft, fault: Fault): Fault {
  const field = entity.field(fault.path)
  if (fault.rule !== 'notWritable' || field === undefined || stored === null) return fault
  if (field.pii !== null || field.kind.secret) return fault
  const held = toSheetCell(field, stored.labelled[fault.path], context.locale)
  return held === null
    ? fault
    : { ...fault, message: { key: 'transfer.rule.held', params: { held: String(held) } } }
}

/** The values that the row's cells set, by attrName. */
async function buildRowBody(
  plan: Plan,
  draft: Draft,
  ordered: readonly PlanColumn[],
): Promise<Map<string, WireValue>> {
  const body = new Map<string, WireValue>()
  const stored = draft.stored?.row ?? null
  for (const column of ordered) {
    const { field } = column
    const { attrName } = field.definition
    const decoded = draft.decoded.get(attrName)
    if (
      decoded === undefined ||
      (draft.stored !== null && isUntouched(plan, column, cellAt(draft.raw, column), draft.stored))
    )
      continue
    if (decoded.kind === 'fault')
      addFault(plan, draft, attrName, decoded.rule, decoded.message, decoded.choices)
    else if (decoded.kind === 'clear' || (decoded.kind === 'blank' && column.empty === 'clear'))
      body.set(attrName, field.kind.empty)
    else if (decoded.kind === 'blank' && column.empty === 'default' && stored !== null)
      body.set(attrName, plan.defaults.get(attrName) ?? field.kind.empty)
    else if (decoded.kind === 'value') body.set(attrName, decoded.value as WireValue)
    else if (decoded.kind === 'refs') {
      const items: DictItem[] = []
      for (const ref of decoded.refs) {
        const found = await plan.resolver.resolve(field, ref, parentsIn(body, stored))
        if ('item' in found) items.push(found.item)
        else addFault(plan, draft, attrName, found.rule, found.message, found.suggestions)
      }
      body.set(attrName, items)
    }
  }
  return body
}

/**
 * Whether the cell still holds what an export writes for the stored value. It is then unchanged,
 * even if its text would resolve to another value.
 */
function isUntouched(
  plan: Plan,
  { field }: PlanColumn,
  cell: RawCell,
  { labelled, coded }: NonNullable<Draft['stored']>,
): boolean {
  const { attrName } = field.definition
  const isWritten = (row: Row) =>
    isSameCell(toSheetCell(field, row[attrName], plan.context.locale), cell)
  return isWritten(labelled) || (field.kind.family === 'choice' && isWritten(coded))
}

function isSameCell(written: Cell, cell: RawCell): boolean {
  if (cellIsBlank(cell) && !isWireCell(cell))
    return written === null || (typeof written === 'string' && written.trim() === '')
  if (written === null || isWireCell(cell)) return false
  if (typeof written === 'number' || typeof cell === 'number')
    return String(written) === cellText(cell)
  const text = isOddCell(cell) ? (cell.odd === 'tooLong' ? cell.text : null) : cellText(cell)
  return text !== null && normalizeLines(unguardText(text)) === normalizeLines(written)
}

function parentsIn(values: ReadonlyMap<string, WireValue>, stored: Row | null): ParentIds {
  return (attrName) => {
    const value = values.has(attrName) ? values.get(attrName) : stored?.[attrName]
    const ids = Array.isArray(value)
      ? value.map(({ id }: DictItem) => id)
      : isEmpty(value)
        ? []
        : [String(value)]
    return ids.length === 0 ? null : ids
  }
}

function addFaults(plan: Plan, draft: Draft, faults: readonly Fault[]): void {
  for (const { path, rule, message } of faults) addFault(plan, draft, path, rule, message)
}

/** A cascade child must belong to its parents, also when only a parent changed. */
function checkCascades(plan: Plan, draft: Draft): void {
  const changed = new Map(
    draft.changes.map(({ field, value }) => [field.definition.attrName, value]),
  )
  const parents = parentsIn(changed, draft.stored?.row ?? null)
  for (const field of valueFields(plan.entity)) {
    const { attrName, options } = field.definition
    if (
      (options.cascades ?? []).length === 0 ||
      (!(options.cascades ?? []).some((cascade) => changed.has(cascade.attrName)) &&
        !changed.has(attrName))
    )
      continue
    const ids = parents(attrName)
    const unpaired = unpairedFault(field, parents)
    if (unpaired !== null) addFaults(plan, draft, [unpaired])
    else if (ids !== null && !plan.resolver.belongs(field, ids, parents))
      addFault(plan, draft, attrName, 'cascade', { key: 'entity.cascade' })
  }
}

/** The label of a field, for faults of fields that have no column. */
export function labelIn({ locale }: Pick<Context, 'locale'>, entity: LoadedEntity) {
  return (attrName: string): string => {
    const definition = entity.field(attrName)?.definition
    if (definition === undefined) return attrName
    const { labelEn } = definition.options
    return locale === 'en' && labelEn !== undefined && labelEn !== '' ? labelEn : definition.uiLabel
  }
}
