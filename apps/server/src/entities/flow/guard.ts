// The write effect of flows: a row begins its case when it is made, its state is written by nothing but a decision,
// and its fields change only where the state opens them (docs/rules/contract.md#flows).
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { isDerived } from '@jiaowu/api/entity/config'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import {
  type CompiledFlow,
  compileFlow,
  type FlowCase,
  type FlowWait,
  listWaits,
  listEditable,
  readStateKey,
  startCase,
  startCaseAt,
} from '@jiaowu/machines/flow/flow'
import type { Message } from '@jiaowu/api/texts/index'
import { wholeAccess } from '../../access/access.ts'
import { fieldKey } from '../../model/definition/column-key.ts'
import { type LoadedEntity, type LoadedField, valueFields } from '../../model/definition/loaded.ts'
import { Invalid } from '../../platform/refusal.ts'
import { findStoredRows } from '../write/effects/stored-rows.ts'
import { isSameValue } from '../write/values/values.ts'
import { type Batch, readRowKey, readRowKeys, type RowWrite } from '../write/writer.ts'
import {
  deleteCases,
  findFlowEntity,
  insertCases,
  loadCases,
  type StoredCase,
  withTables,
} from './cases.ts'
import { type FlowRow, listFlowReads, loadFlowRows } from './row-people.ts'
import { writeTimers } from './timers.ts'
import { writeTodos } from './todos.ts'

/** Refuses writes of the state, and of fields that it does not open; new rows get the first state. */
export async function guardFlow(batch: Batch): Promise<void> {
  const { trx, writer, rows } = batch
  const { context, entity } = writer
  const owner = findFlowEntity(context, entity)
  const flow = owner?.definition.options.flow
  if (owner === undefined || flow === undefined || writer.flow === 'own') return
  const field = findStateField(entity, owner)
  const begun = rows.filter(({ kind }) => kind === 'create')
  for (const row of begun) beginRow(batch, row, field, flow.initial)
  const known = rows.filter(({ kind }) => kind !== 'create')
  if (known.length === 0) return
  const { tenant } = context.subject
  const cases = await loadCases(withTables(trx), tenant, owner, readRowKeys(known))
  const stored = await findStoredRows(trx, wholeAccess(entity, tenant), readRowKeys(known))
  for (const row of known) {
    const before = row.stored ?? stored.get(readRowKey(row))
    const flowCase = cases.get(readRowKey(row))?.flowCase ?? startUnknown(owner, field, before)
    if (row.kind === 'delete') {
      if (!flowCase.isDone && readStateKey(flowCase) !== flow.initial)
        refuseRow(batch, row, field, { key: 'flow.running' })
      continue
    }
    const open = writer.flow === 'effect' ? null : listEditable(compileFlow(flow), flowCase)
    checkChanges(batch, row, { field, owner, before, open })
  }
}

interface Changed {
  readonly field: LoadedField | undefined
  readonly owner: LoadedEntity
  readonly before: Row | undefined
  /** Null where every field but the state may change. */
  readonly open: ReadonlySet<string> | null
}

function checkChanges(batch: Batch, row: RowWrite, { field, owner, before, open }: Changed): void {
  for (const change of row.changes) {
    if (isDerived(change.field.definition)) continue
    const { attrName } = change.field.definition
    if (isSameValue(change.value, before?.[attrName] ?? null)) continue
    if (change.field === field) {
      refuseRow(batch, row, field, { key: 'flow.stateWritten' })
      return
    }
    const same = findSame(owner, change.field)
    if (open !== null && (same === undefined || !open.has(same.definition.attrName))) {
      refuseRow(batch, row, change.field, {
        key: 'flow.fieldClosed',
        params: { label: change.field.definition.uiLabel },
      })
      return
    }
  }
}

/** The way out is named: decisions change the state. */
function refuseRow(
  { refuse }: Batch,
  row: RowWrite,
  field: LoadedField | undefined,
  message: Message,
): void {
  const attrName = field?.definition.attrName ?? null
  refuse(
    row,
    { rule: 'flow', attrName },
    () => new Invalid([{ path: attrName ?? 'id', rule: 'flow', message }]),
  )
}

function beginRow(
  batch: Batch,
  row: RowWrite,
  field: LoadedField | undefined,
  initial: string,
): void {
  if (field === undefined) return
  const first: WireValue = Array.isArray(field.kind.empty)
    ? [{ id: initial, name: initial }]
    : initial
  const given = row.changes.find((change) => change.field === field)
  // A default of the field gives way to the first state.
  const isDefault = formatStateValue(given?.value) === field.definition.defaultValue
  if (
    given !== undefined &&
    !isEmpty(given.value) &&
    !isDefault &&
    !isSameValue(given.value, first)
  ) {
    refuseRow(batch, row, field, { key: 'flow.stateWritten' })
    return
  }
  row.changes = [...row.changes.filter((change) => change.field !== field), { field, value: first }]
}

/** The key of a state in a text or a choice; empty without one. */
function formatStateValue(value: WireValue | undefined): string {
  const [item] = Array.isArray(value) ? (value as readonly { readonly id: string }[]) : []
  return item?.id ?? String(value ?? '')
}

/** The field of an entity over the table that holds the state. */
export function findStateField(entity: LoadedEntity, owner: LoadedEntity): LoadedField | undefined {
  const field = owner.field(owner.definition.options.flow?.field ?? '')
  return field === undefined ? undefined : entity === owner ? field : findSame(entity, field)
}

/** The field of the entity for the same column. */
function findSame(entity: LoadedEntity, field: LoadedField): LoadedField | undefined {
  return valueFields(entity).find(
    (each) => each === field || (each.column !== null && fieldKey(each) === fieldKey(field)),
  )
}

/** A row from before the flow stands where its field says. */
export function startUnknown(
  owner: LoadedEntity,
  field: LoadedField | undefined,
  row: Row | undefined,
  applicant: string | null = null,
): FlowCase {
  const { flow } = owner.definition.options
  if (flow === undefined) throw new Error('the entity has no flow')
  const state = formatStateValue(field === undefined ? null : row?.[field.definition.attrName])
  return state === ''
    ? startCase(compileFlow(flow), applicant)
    : startCaseAt(compileFlow(flow), applicant, state)
}

/** Begins the cases of new rows, whose applicant is who made them; purged rows leave none. */
export async function keepCases(batch: Batch): Promise<void> {
  const { trx, writer, rows } = batch
  const { context, entity } = writer
  const owner = findFlowEntity(context, entity)
  const flow = owner?.definition.options.flow
  if (owner === undefined || flow === undefined) return
  const db = withTables(trx)
  const purged = rows.filter(({ kind }) => kind === 'purge')
  if (purged.length > 0) await deleteCases(db, context.subject.tenant, owner, readRowKeys(purged))
  const made = rows.filter(({ kind }) => kind === 'create')
  if (made.length === 0) return
  const compiled = compileFlow(flow)
  const started = startCase(compiled, context.subject.userId)
  const cases = await insertCases(
    db,
    context,
    owner,
    flow,
    made.map((row) => ({ rowId: readRowKey(row), flowCase: started })),
  )
  await writeTimers(
    db,
    context,
    [...cases.values()].map((stored) => ({ stored, entered: null })),
  )
  await writeTodos(
    db,
    context,
    await listWaitingRows(batch, owner, compiled, listWaits(compiled, started), cases),
  )
}

/** The new cases with the people of their rows; rows are read only where the people depend on them. */
async function listWaitingRows(
  { trx, writer: { context } }: Batch,
  owner: LoadedEntity,
  flow: CompiledFlow,
  waits: readonly FlowWait[],
  cases: ReadonlyMap<string, StoredCase>,
): Promise<readonly { readonly stored: StoredCase; readonly row: FlowRow }[]> {
  const isApplicants = waits.every(
    ({ part, terms }) => part.path === '' || terms.every((term) => 'applicant' in term),
  )
  const unread: FlowRow = { scope: {}, people: new Map(), related: new Map() }
  if (isApplicants) return [...cases.values()].map((stored) => ({ stored, row: unread }))
  const { tenant } = context.subject
  const rows = await findStoredRows(trx, wholeAccess(owner, tenant), [...cases.keys()])
  const reads = listFlowReads(context, owner, flow)
  const known = [...cases].flatMap(([rowId, stored]) => {
    const row = rows.get(rowId)
    return row === undefined ? [] : [{ stored, row }]
  })
  const read = await loadFlowRows(
    trx,
    tenant,
    flow,
    reads,
    known.map(({ row }) => row),
  )
  return known.flatMap(({ stored }, i) => {
    const row = read[i]
    return row === undefined ? [] : [{ stored, row }]
  })
}
