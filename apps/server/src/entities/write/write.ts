// Creates and updates rows in one transaction each. All validation rules of forms are checked again
// (docs/rules/security.md#b1), and only the values sent are written.
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { type FormMode, isDerived } from '@jiaowu/api/entity/config'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import { hashPassword } from '../../identity/password.ts'
import type { Context } from '../../model/context.ts'
import { isHashed } from '../../model/definition/account-password.ts'
import {
  isTypedKey,
  type LoadedEntity,
  type LoadedField,
  readableFields,
  valueFields,
} from '../../model/definition/loaded.ts'
import { transact } from '../../platform/database/transact.ts'
import { madeAt } from '../../platform/id.ts'
import { rememberWritten } from '../../platform/idempotency.ts'
import { forbidden, Invalid, notFound, stale } from '../../platform/refusal.ts'
import { checkedChoices, loadChoiceSources } from '../choices/check.ts'
import { buildFilterFault } from '../read/query.ts'
import { detailFields, labelRow, lockRow, selectRow } from '../read/row.ts'
import { passwordLengthFor } from './accounts.ts'
import { auditEach } from './audit-rows.ts'
import { isFormId, serverKey, takesFormId } from './form-id.ts'
import { loadDefault } from './values/defaults.ts'
import { createDerivation } from './values/derive.ts'
import { countAhead } from './values/serial.ts'
import {
  type Body,
  type Change,
  type Checked,
  checkValues,
  isEditable,
  isSameValue,
  isSystem,
} from './values/values.ts'
import { explainViolation } from './violations.ts'
import { writeRows } from './write-rows.ts'
import { readRowKey, type RowWrite, type RowWriter } from './writer.ts'

/**
 * Password hashes by attrName, computed before the transaction because hashing is slow on purpose.
 */
type PasswordHashes = ReadonlyMap<string, string>

export async function loadDefaults(
  context: Context,
  entity: LoadedEntity,
): Promise<ReadonlyMap<string, WireValue>> {
  const found = new Map<string, WireValue>()
  for (const field of valueFields(entity)) {
    if (isDerived(field.definition)) continue
    const value = await loadDefault(field, context)
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

export interface Adding {
  /** A check of the caller, in the transaction that adds the row. */
  readonly check?: (trx: AnyDatabase) => Promise<void>
  /** Values of fields that are not the person's to enter. */
  readonly set?: readonly Change[]
  /** Hashes the password of an account, where the server made it. */
  readonly hash?: (password: string) => Promise<string>
}

/**
 * Adds a row and returns it as GET would.
 * @throws Invalid with one fault per field; Refusal 403 when it would be outside the caller's rows
 */
export async function createRow(
  context: Context,
  entity: LoadedEntity,
  body: Body,
  { check, set = [], hash = hashPassword }: Adding = {},
): Promise<Row> {
  const access = await accessTo(context, entity, 'add')
  const defaults = await loadDefaults(context, entity)
  const { changes: entered, faults } = checkValues(
    access,
    body,
    'add',
    (field) => defaults.get(field.definition.attrName) ?? null,
    await passwordLengthFor(context, entity),
  )
  if (faults.length > 0) throw new Invalid(faults)
  const given = [
    ...entered.filter(({ field }) => set.every((each) => each.field !== field)),
    ...set,
  ]
  const id = newRowId(context, entity, body, given)
  const checked = withHashes(entity, await hashPasswords(access, body, 'add', hash), [
    ...given,
    ...defaultChanges(entity, given, defaults, isServers(entity)),
  ])
  const number = await countAhead(context, entity, checked)
  const fields = detailFields(access)
  const db = databaseOf(context)
  const writer: RowWriter = {
    context,
    entity,
    isJob: false,
    add: access,
    change: null,
    choices: checkedChoices(await loadChoiceSources(context, writtenFields(entity, checked))),
    derive: await createDerivation(context, entity),
    audit: auditEach(context, entity, 'entity.add'),
    answer: fields,
  }
  let row: RowWrite = { kind: 'create', id, changes: checked }
  await transact(db, async (trx) => {
    row = {
      kind: 'create',
      id,
      changes: checked,
      isFormId: id !== null && id === body['id'],
      ...(number !== undefined && { number }),
    }
    await check?.(trx)
    await writeRows(trx, writer, [row])
    rememberWritten(readRowKey(row))
  }).catch((error: unknown) =>
    explainViolation(access, { context, db, changes: row.changes })(error),
  )
  return await labelRow(context, entity, fields, buildAnswer(row))
}

/** The fields that are given or computed. */
function writtenFields(entity: LoadedEntity, changes: readonly Change[]): LoadedField[] {
  const given = new Set(changes.map(({ field }) => field))
  return valueFields(entity).filter((field) => given.has(field) || isDerived(field.definition))
}

function buildAnswer({ answer }: RowWrite): Row {
  if (answer === undefined) throw new Error('a written row was not read back')
  return answer
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
    if (madeAt(id) !== null)
      throw new Invalid([buildFilterFault('id', 'formId', { key: 'rule.formId' })])
  }
  throw new Invalid([buildFilterFault('id', 'notWritable', { key: 'rule.notWritable' })])
}

async function hashPasswords(
  access: EntityAccess,
  body: Body,
  mode: FormMode,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<PasswordHashes> {
  const found = new Map<string, string>()
  for (const field of valueFields(access.entity).filter((each) => isHashed(access.entity, each))) {
    const value = body[field.definition.attrName]
    if (typeof value === 'string' && value !== '' && isEditable(access, field, mode))
      found.set(field.definition.attrName, await hash(value))
  }
  return found
}

/** Checks a form's values against a stored row: the fields that differ, or all faults, but for choices. */
export function checkUpdate(
  access: EntityAccess,
  stored: Row,
  body: Body,
  passwordLength: number,
): Checked {
  const { changes, faults } = checkValues(
    access,
    body,
    'edit',
    ({ definition }) => stored[definition.attrName] ?? null,
    passwordLength,
  )
  if (faults.length > 0) return { changes: [], faults }
  return {
    changes: changes.filter(({ field, value }) =>
      field.kind.secret
        ? !isEmpty(value)
        : !isSameValue(value, stored[field.definition.attrName] ?? null),
    ),
    faults: [],
  }
}

/** Changes with the hashes of passwords in place of what was typed. */
function withHashes(
  entity: LoadedEntity,
  hashes: PasswordHashes,
  changes: readonly Change[],
): Change[] {
  return changes.map((change) =>
    isHashed(entity, change.field)
      ? { ...change, value: hashes.get(change.field.definition.attrName) ?? null }
      : change,
  )
}

/** Writes values that people, or agents for them, give to stored rows, and answers the rows. */
export async function createUpdateWriter(
  context: Context,
  access: EntityAccess,
): Promise<RowWriter> {
  const { entity } = access
  return {
    context,
    entity,
    isJob: false,
    add: null,
    change: access,
    choices: checkedChoices(await loadChoiceSources(context, valueFields(entity))),
    derive: await createDerivation(context, entity),
    audit: auditEach(context, entity, 'entity.update'),
    answer: detailFields(access),
  }
}

/** Leaves the transaction; the current row is read and answered with 409 outside of it. */
class StaleRowError extends Error {}

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
  const fields = detailFields(access)
  const all = readableFields(entity)
  const passwordLength = await passwordLengthFor(context, entity)
  const hashes = await hashPasswords(access, body, 'edit')
  const writer = await createUpdateWriter(context, access)
  const db = databaseOf(context)
  let tried: readonly RowWrite[] = []
  const row = await transact(db, async (trx) => {
    const locked = await lockRow(trx, access, all, id)
    if (locked === undefined) throw notFound()
    const { row: stored } = locked
    if (requestedVersion(body) !== String(stored.version)) throw new StaleRowError()
    const { changes, faults } = checkUpdate(locked.access, stored, body, passwordLength)
    if (faults.length > 0) throw new Invalid(faults)
    const write: RowWrite = {
      kind: 'update',
      id,
      changes: withHashes(entity, hashes, changes),
      stored,
    }
    tried = [write]
    await writeRows(trx, writer, tried)
    // A row that nothing changes is not written.
    const answer = write.answer ?? (await selectRow(trx, access, fields, id))
    if (answer === undefined) throw forbidden()
    return answer
  }).catch(async (error: unknown) => {
    if (!(error instanceof StaleRowError))
      return explainViolation(access, {
        context,
        db,
        changes: tried.flatMap(({ changes }) => changes),
      })(error)
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
    throw new Invalid([buildFilterFault('id', 'notWritable', { key: 'entity.otherId' })])
}

function requestedVersion(body: Body): string {
  const { version } = body
  if (typeof version !== 'string' && typeof version !== 'number')
    throw new Invalid([
      buildFilterFault('version', 'versionRequired', { key: 'rule.versionRequired' }),
    ])
  if (!/^\d{1,18}$/.test(String(version)))
    throw new Invalid([buildFilterFault('version', 'value', { key: 'rule.value' })])
  return String(version)
}
