// Creates and updates rows in one transaction each. All validation rules of forms are checked again
// (docs/rules/security.md#b1), and only the values sent are written.
import { isHashed } from '../../model/definition/account-password.ts'
import { keptCells, type Writer } from '../../model/definition/kept.ts'
import { type FormMode, isDerived } from '@jiaowu/api/entity/config'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { type Column, castOf, familyOf } from '../../model/fields/column.ts'
import { toInstant } from '../../model/fields/school-time.ts'
import { hashPassword } from '../../identity/password.ts'
import { type Fault, forbidden, Invalid, notFound, stale } from '../../platform/refusal.ts'
import { rememberWritten } from '../../platform/idempotency.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { beforeCommit, transact } from '../../platform/database/transact.ts'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import {
  afterPasswordChange,
  assertAdministratorRemains,
  keepOwnRoles,
  guardAccounts,
  guardPersons,
  isGranting,
  passwordLengthFor,
} from './accounts.ts'
import { choiceFaults, choiceSourcesOf } from '../choices/check.ts'
import { assertUnlocked } from '../entry/locks.ts'
import { guardSettings } from './guard-settings.ts'
import { sealedCells } from '../../model/sealed/sealed-cells.ts'
import { saveCustomValues } from './values/custom.ts'
import { defaultOf } from './values/defaults.ts'
import { deriveOf, withDerived } from './values/derive.ts'
import { isFormId, takesFormId } from './form-id.ts'
import { madeAt } from '../../platform/id.ts'
import { fieldChanges } from './history.ts'
import { recordHistory } from '../../model/row-history.ts'
import {
  isTypedKey,
  type LoadedEntity,
  type LoadedField,
  readableFields,
  type SystemColumn,
  valueFields,
} from '../../model/definition/loaded.ts'
import { identifier, tableName, typed } from '../../model/definition/names.ts'
import { fault } from '../read/query.ts'
import { detailFields, labelRow, lockRow, selectRow, withIds } from '../read/row.ts'
import { type RawRow, readRow } from '../read/rows.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { serialFor } from './values/serial.ts'
import { assertTree } from '../tree/checks.ts'
import { assertKept, type Cell, insertRow, serverKey, useSchoolClock } from './insert.ts'
import {
  type Body,
  type Change,
  type Checked,
  checkValues,
  isEditable,
  isSame,
  isSystem,
} from './values/values.ts'
import { explained } from './violations.ts'

/**
 * Password hashes by attrName, computed before the transaction because hashing is slow on purpose.
 */
type PasswordHashes = ReadonlyMap<string, string>

/** Applies the extra rules for accounts and roles after a row was written. */
async function applyWriteEffects(
  trx: AnyDatabase,
  context: Context,
  entity: LoadedEntity,
  id: string,
  changes: readonly Change[],
): Promise<void> {
  await guardAccounts(trx, context, entity, [id])
  await guardPersons(trx, context, entity, [id])
  await guardSettings(trx, context.subject, entity, [id])
  if (changes.some(({ field, value }) => isGranting(entity, field) && !isEmpty(value)))
    await context.proveFresh(trx)
  if (changes.some(({ field, value }) => field.kind.secret && !isEmpty(value)))
    await afterPasswordChange(trx, context, entity, id)
}

export async function defaultsOf(
  context: Context,
  entity: LoadedEntity,
): Promise<ReadonlyMap<string, WireValue>> {
  const found = new Map<string, WireValue>()
  for (const field of valueFields(entity)) {
    if (isDerived(field.definition)) continue
    const value = await defaultOf(field, context)
    if (!isEmpty(value)) found.set(field.definition.attrName, value)
  }
  return found
}

/** The defaults of fields the form did not send, except for fields that `own` excludes. */
export function defaultChanges(
  entity: LoadedEntity,
  changes: readonly Change[],
  defaults: ReadonlyMap<string, WireValue>,
  own: (field: LoadedField) => boolean,
): Change[] {
  const given = new Set(changes.map(({ field }) => field))
  return valueFields(entity)
    .filter((field) => !given.has(field) && !own(field))
    .flatMap((field) => {
      const value = defaults.get(field.definition.attrName)
      return value === undefined ? [] : [{ field, value }]
    })
}

export function isServers(entity: LoadedEntity) {
  return (field: LoadedField): boolean => isSystem(entity, field, 'add')
}

/** False for an empty value whose column has a default of its own. */
function filled(change: Change): boolean {
  return !isEmpty(change.value) || change.field.column?.hasDefault !== true
}

/**
 * Adds a row and returns it as GET would.
 * @param check of the caller, in the transaction that adds the row
 * @throws Invalid with one fault per field; Refusal 403 when it would be outside the caller's rows
 */
export async function createRow(
  context: Context,
  entity: LoadedEntity,
  body: Body,
  check: (trx: AnyDatabase) => Promise<void> = async () => {},
): Promise<Row> {
  const access = await accessTo(context, entity, 'add')
  const defaults = await defaultsOf(context, entity)
  const { changes: given, faults } = checkValues(
    access,
    body,
    'add',
    (field) => defaults.get(field.definition.attrName) ?? null,
    await passwordLengthFor(context, entity),
  )
  if (faults.length > 0) throw new Invalid(faults)
  const id = newRowId(context, entity, body, given)
  const changes = await withDerived(await deriveOf(context, entity), databaseOf(context), {
    id: null,
    changes: [...given, ...defaultChanges(entity, given, defaults, isServers(entity))],
  })
  const choices = await choiceSourcesOf(
    context,
    changes.map(({ field }) => field),
  )
  const serial = await serialFor(context, entity, valueIn(changes, null))
  const fields = detailFields(access)
  const { subject } = context
  const cells = cellsOf(entity, changes.filter(filled), await hashPasswords(access, body, 'add'))
  const system = systemCells(entity, {
    tenant_id: subject.tenant,
    org_id: subject.org?.id ?? null,
    create_user: subject.userId,
    update_user: subject.userId,
    create_time: sql`now()`,
    update_time: sql`now()`,
  })
  const row = await transact(databaseOf(context), async (trx) => {
    await assertUnlocked(trx, context, entity, [{ id: null, changes }])
    await check(trx)
    const wrong = await choiceFaults(trx, choices, changes, valueIn(changes, null))
    if (wrong.length > 0) throw new Invalid(wrong)
    await assertTree(trx, access, null, changes)
    const number = await serial.take(trx)
    const idCells = id === null ? [] : [{ column: entity.id, value: bound(entity.id, id) }]
    const numbered =
      number === null ? [] : [{ column: number.column, value: bound(number.column, number.text) }]
    await useSchoolClock(trx, entity)
    const { id: made, raw } = await insertRow(
      trx,
      access,
      fields,
      lastPerColumn([
        ...system.filter(({ column }) => column.name === 'org_id'),
        ...cells,
        ...numbered,
        ...system.filter(({ column }) => column.name !== 'org_id'),
        ...idCells,
        ...keptCells(entity, subject, 'insert'),
      ]),
    )
    rememberWritten(made)
    if (made === body['id']) await dropFilesOfOthers(trx, context, entity, made)
    await saveCustomValues(trx, entity, subject.tenant, made, changes)
    await applyWriteEffects(trx, context, entity, made, changes)
    await recordHistory(trx, context, entity, [
      { id: made, action: 'add', changes: fieldChanges(entity, changes, null) },
    ])
    auditChanges(trx, context, 'entity.add', entity, made, changes)
    // After the audit line, which is written then: triggers of the commit may ask for it.
    beforeCommit(trx, () => assertKept(trx, entity, made, subject.tenant))
    return await readBack(trx, access, fields, made, raw)
  }).catch(explained(access, { context, db: databaseOf(context), changes }))
  return await labelRow(context, access.entity, fields, row)
}

/** Files that others laid under the id of the form, before it was saved, do not become the row's. */
async function dropFilesOfOthers(
  trx: AnyDatabase,
  { subject, now }: Context,
  { tag }: LoadedEntity,
  id: string,
): Promise<void> {
  await sql`
    update sys.attachment set deleted_at = ${now().toISOString()}::timestamptz
    where tenant_id = ${subject.tenant}::int8 and biz_type = ${tag}::text and biz_id = ${id}::text
      and create_user is distinct from ${subject.userId}::int8 and deleted_at is null`.execute(trx)
}

function auditChanges(
  trx: AnyDatabase,
  { audit }: Context,
  action: 'entity.add' | 'entity.update',
  { tag }: LoadedEntity,
  id: string,
  changes: readonly Change[],
): void {
  const fields = changes.map(({ field }) => field.definition.attrName)
  audit({ action, object: tag, objectId: id, result: 'ok', detail: { fields } }, trx)
}

/** The key that the server gives a new row; null when users or the database give it. */
function newRowId(
  { newId }: Context,
  entity: LoadedEntity,
  body: Body,
  given: readonly Change[],
): string | null {
  const { id } = body
  if (given.some((change) => isTypedKey(entity, change.field) && !isEmpty(change.value)))
    return null
  if (isEmpty(id)) return serverKey(entity, newId)
  // A form gets its id in advance (generateId), so that a repeated request makes no second row.
  if (typeof id === 'string' && takesFormId(entity)) {
    if (isFormId(id, Date.now())) return id
    if (madeAt(id) !== null) throw new Invalid([fault('id', 'formId', { key: 'rule.formId' })])
  }
  throw new Invalid([fault('id', 'notWritable', { key: 'rule.notWritable' })])
}

function valueIn(changes: readonly Change[], stored: Row | null) {
  return (attrName: string): WireValue | undefined => {
    const change = changes.find(({ field }) => field.definition.attrName === attrName)
    return change === undefined ? stored?.[attrName] : change.value
  }
}

function cellsOf(
  entity: LoadedEntity,
  changes: readonly Change[],
  secrets: PasswordHashes,
): Cell[] {
  return changes.flatMap(({ field, value }) => {
    const { column } = field
    if (column === null) return []
    const sealed = sealedCells(entity, field, value)
    if (sealed !== null)
      return sealed.map((cell) => ({ column: cell.column, value: bound(cell.column, cell.text) }))
    const stored = isHashed(entity, field)
      ? (secrets.get(field.definition.attrName) ?? null)
      : field.storage.store(value, column)
    // Emptying a not-null column resets it to its default.
    return [
      {
        column,
        value:
          stored === null && !column.nullable && column.hasDefault
            ? sql`default`
            : bound(column, stored),
      },
    ]
  })
}

function bound(column: Column, value: unknown): RawBuilder<unknown> {
  const family = familyOf(column)
  if (family === 'instant') return toInstant(typed(value, 'timestamp'))
  return typed(value, castOf(column))
}

async function hashPasswords(
  access: EntityAccess,
  body: Body,
  mode: FormMode,
): Promise<PasswordHashes> {
  const found = new Map<string, string>()
  for (const field of valueFields(access.entity).filter((each) => isHashed(access.entity, each))) {
    const value = body[field.definition.attrName]
    if (typeof value === 'string' && value !== '' && isEditable(access, field, mode))
      found.set(field.definition.attrName, await hashPassword(value))
  }
  return found
}

/** Cells for the system columns that the table has. */
function systemCells(
  entity: LoadedEntity,
  values: Readonly<Partial<Record<SystemColumn, RawBuilder<unknown> | string | null>>>,
): Cell[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const column = entity.has(name as SystemColumn) ? entity.table.columns.get(name) : undefined
    if (column === undefined) return []
    return [
      {
        column,
        value: typeof value === 'string' || value === null ? typed(value, castOf(column)) : value,
      },
    ]
  })
}

function lastPerColumn(cells: readonly Cell[]): Cell[] {
  return [...new Map(cells.map((cell) => [cell.column.name, cell])).values()]
}

/**
 * The written row; reads it where the write has not answered it.
 * @throws Refusal 403 when the write moved it outside the caller's rows
 */
async function readBack(
  db: AnyDatabase,
  access: EntityAccess,
  fields: readonly LoadedField[],
  id: string,
  raw?: RawRow,
): Promise<Row> {
  if (raw !== undefined) return readRow(access, fields, raw, 'detail')
  const row = await selectRow(db, access, fields, id)
  if (row === undefined) throw forbidden()
  return row
}

/**
 * Checks a form's values against a stored row: the fields that differ, or all faults. Used for
 * single and bulk updates.
 */
export async function checkUpdate(
  access: EntityAccess,
  stored: Row,
  body: Body,
  choiceFaultsOf: (
    changes: readonly Change[],
    valueOf: (attrName: string) => WireValue | undefined,
  ) => Promise<readonly Fault[]>,
  passwordLength: number,
): Promise<Checked> {
  const { changes: sent, faults } = checkValues(
    access,
    body,
    'edit',
    ({ definition }) => stored[definition.attrName] ?? null,
    passwordLength,
  )
  if (faults.length > 0) return { changes: [], faults }
  const changes = sent.filter(({ field, value }) =>
    field.kind.secret ? !isEmpty(value) : !isSame(value, stored[field.definition.attrName] ?? null),
  )
  return { changes, faults: await choiceFaultsOf(changes, valueIn(changes, stored)) }
}

/** Leaves the transaction; the current row is read and answered with 409 outside of it. */
class StaleRowError extends Error {}

/** Writes checked changes to a locked row, with their effects and history. */
export async function writeChanges(
  trx: AnyDatabase,
  context: Context,
  access: EntityAccess,
  stored: Row,
  changes: readonly Change[],
  secrets: PasswordHashes = new Map(),
): Promise<void> {
  const { entity } = access
  await useSchoolClock(trx, entity)
  await assertUnlocked(trx, context, entity, [{ id: stored.id, changes }])
  await guardAccounts(trx, context, entity, [stored.id])
  const assertOwnRoles = await keepOwnRoles(trx, context, entity, [stored.id])
  await save(trx, access, stored.id, changes, cellsOf(entity, changes, secrets), context.subject)
  await applyWriteEffects(trx, context, entity, stored.id, changes)
  await assertAdministratorRemains(trx, context, entity)
  await assertOwnRoles()
  await recordHistory(trx, context, entity, [
    { id: stored.id, action: 'update', changes: fieldChanges(entity, changes, stored) },
  ])
}

async function save(
  trx: AnyDatabase,
  access: EntityAccess,
  id: string,
  changes: readonly Change[],
  cells: readonly Cell[],
  by: Writer,
): Promise<void> {
  const { entity } = access
  const system = systemCells(entity, { update_user: by.userId, update_time: sql`now()` }).concat(
    entity.has('version') ? systemCells(entity, { version: sql`version + 1` }) : [],
  )
  const kept = keptCells(entity, by, 'update')
  const all = lastPerColumn([...cells, ...system, ...kept])
  if (all.length > 0) {
    const assignments = all.map(({ column, value }) => sql`${identifier(column.name)} = ${value}`)
    exactlyOne(
      await sql`
        update ${tableName(entity.table.schema, entity.table.name)} as t
        set ${sql.join(assignments)} where ${withIds(access, [id])}`.execute(trx),
      entity.definition.name,
    )
  }
  await saveCustomValues(trx, entity, access.tenant, id, changes)
}

/**
 * Updates a row and returns it. Fields not sent keep their values.
 * @throws Invalid; Refusal 404; 409/40900 with the current row when the version is stale
 */
export async function updateRow(
  context: Context,
  entity: LoadedEntity,
  id: string,
  body: Body,
): Promise<Row> {
  const access = await accessTo(context, entity, 'update')
  assertOwnId(body, id)
  const choices = await choiceSourcesOf(context, valueFields(entity))
  const fields = detailFields(access)
  const all = readableFields(entity)
  const passwordLength = await passwordLengthFor(context, entity)
  const secrets = await hashPasswords(access, body, 'edit')
  const derive = await deriveOf(context, entity)
  const db = databaseOf(context)
  let tried: readonly Change[] = []
  const row = await transact(db, async (trx) => {
    const locked = await lockRow(trx, access, all, id)
    if (locked === undefined) throw notFound()
    const { row: stored } = locked
    if (requestedVersion(body) !== String(stored.version)) throw new StaleRowError()
    const checked = await checkUpdate(
      locked.access,
      stored,
      body,
      (made, valueOf) => choiceFaults(trx, choices, made, valueOf),
      passwordLength,
    )
    if (checked.faults.length > 0) throw new Invalid(checked.faults)
    const changes = await withDerived(derive, trx, { id, changes: checked.changes })
    tried = changes
    await assertTree(trx, access, id, changes)
    if (changes.length > 0) {
      await writeChanges(trx, context, access, stored, changes, secrets)
      auditChanges(trx, context, 'entity.update', entity, id, changes)
      beforeCommit(trx, () => assertKept(trx, entity, id, context.subject.tenant))
    }
    return await readBack(trx, access, fields, id)
  }).catch(async (error: unknown) => {
    if (!(error instanceof StaleRowError))
      return explained(access, { context, db, changes: tried })(error)
    const current = await selectRow(db, access, fields, id)
    throw current === undefined
      ? notFound()
      : stale(await labelRow(context, access.entity, fields, current))
  })
  return await labelRow(context, access.entity, fields, row)
}

/** A body may contain the id of its row, but no other. @throws Invalid */
function assertOwnId({ id: sent }: Body, id: string): void {
  if (!isEmpty(sent) && String(sent) !== id)
    throw new Invalid([fault('id', 'notWritable', { key: 'entity.otherId' })])
}

function requestedVersion(body: Body): string {
  const { version } = body
  if (typeof version !== 'string' && typeof version !== 'number')
    throw new Invalid([fault('version', 'versionRequired', { key: 'rule.versionRequired' })])
  if (!/^\d{1,18}$/.test(String(version)))
    throw new Invalid([fault('version', 'value', { key: 'rule.value' })])
  return String(version)
}
