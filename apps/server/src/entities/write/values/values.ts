// Checks the values of a form against the entity: unknown keys, writable fields, the validation
// rules and the column (docs/rules/security.md#i11, #b1).
import { isHashed } from '../../../model/definition/account-password.ts'
import { type DictItem, isCarried, type WireValue } from '@jiaowu/api/entity/values'
import { resolveEditing, type FormMode, isDerived } from '@jiaowu/api/entity/config'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { linkTypes } from '@jiaowu/api/entity/enums'
import { looksMasked, maskValue } from '@jiaowu/api/pii'
import { checkField, isSafeAddress } from '@jiaowu/validation'
import * as v from 'valibot'
import { isGoodPassword } from '../../../identity/good-password.ts'
import { type Column, columnViolation, losesDigits } from '../../../model/fields/column.ts'
import { joinsIds } from '../../../model/fields/index.ts'
import { type Fault } from '../../../platform/refusal.ts'
import { type EntityAccess, isAllowed } from '../../../access/access.ts'
import {
  isKeyField,
  isTypedKey,
  type LoadedEntity,
  type LoadedField,
  type SystemColumn,
  systemColumns,
  valueFields,
} from '../../../model/definition/loaded.ts'
import { buildFilterFault, unknownField } from '../../read/query.ts'
import { buildFilterTarget } from '../../read/target.ts'
import { cleanHtml } from './sanitize.ts'

export type Body = Readonly<Record<string, unknown>>
export interface Change {
  readonly field: LoadedField
  readonly value: WireValue
}
export interface Checked {
  readonly changes: readonly Change[]
  readonly faults: readonly Fault[]
}

const serverOnly: readonly string[] = systemColumns.filter((name) => name !== 'org_id')

/** Whether only the server or the database writes the column. A key is fixed once it is stored. */
export function isSystem(entity: LoadedEntity, field: LoadedField, mode: FormMode): boolean {
  const { column } = field
  if (column === null) return false
  if (column.generated || isServerOnly(entity, column.name)) return true
  return isKeyField(entity, field) && !(mode === 'add' && isTypedKey(entity, field))
}

function isServerOnly(entity: LoadedEntity, name: string): boolean {
  return serverOnly.includes(name) && entity.has(name as SystemColumn)
}

/** Editable by the definition and by some role, and not a column that only the server writes. */
export function isEditable(access: EntityAccess, field: LoadedField, mode: FormMode): boolean {
  return (
    field.kind.family !== 'layout' &&
    resolveEditing(field.definition, mode) === 'editable' &&
    !isSystem(access.entity, field, mode) &&
    isAllowed(access, field, mode)
  )
}

/** Equality of wire values: choices by their ids, numbers also as text. */
export function isSameValue(a: WireValue, b: WireValue): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b)
  if (Array.isArray(a) || Array.isArray(b)) return joinChoiceIds(a) === joinChoiceIds(b)
  return String(a) === String(b)
}

function joinChoiceIds(value: WireValue): string {
  return Array.isArray(value)
    ? value
        .map(({ id }: DictItem) => id)
        .toSorted()
        .join('\u0000')
    : ''
}

const isFault = (result: Change | Fault): result is Fault => 'rule' in result

/**
 * Checks a body. `current` gives the value of a field the body leaves out: its default, or the
 * stored value.
 */
export function checkValues(
  access: EntityAccess,
  body: Body,
  mode: FormMode,
  current: (field: LoadedField) => WireValue,
  passwordLength: number,
): Checked {
  const { entity } = access
  const faults: Fault[] = Object.keys(body).flatMap((key) => {
    const field = entity.field(key)
    // Accepted in every form and ignored (docs/rules/security.md#decisions Q3).
    if (isCarried(key) || (key === entity.definition.idField && !entity.typesKey)) return []
    return field === undefined || !isAllowed(access, field, 'any') ? [unknownField(key)] : []
  })
  const changes: Change[] = []
  const ownWords = () =>
    ['account', 'name', 'mobile', 'email'].flatMap((name) => {
      const field = entity.field(name)
      const word = Object.hasOwn(body, name) ? body[name] : field && current(field)
      return typeof word === 'string' ? [word] : []
    })
  for (const field of valueFields(entity)) {
    const { attrName } = field.definition
    const sent = Object.hasOwn(body, attrName) ? body[attrName] : undefined
    if (isMetadata(entity, field, mode) || !isAllowed(access, field, 'any')) continue
    // Computed by derive.ts, whatever a form or a sheet holds.
    if (isDerived(field.definition)) continue
    if (field.pii !== null && looksMasked(sent)) {
      if (mode === 'add' || !isUnchangedMask(field, sent, current(field)))
        faults.push(buildFilterFault(attrName, 'masked', { key: 'rule.masked' }))
      continue
    }
    if (!isEditable(access, field, mode)) {
      if (sent !== undefined && !repeatsCurrent(field, sent, current(field)))
        faults.push(buildFilterFault(attrName, 'notWritable', { key: 'rule.notWritable' }))
      continue
    }
    if (mode === 'edit' && isLeftAlone(sent, current(field))) continue
    const result = checkOne(
      access,
      field,
      sent === undefined ? current(field) : onOneLine(field, sent),
      { ownWords, minLength: passwordLength },
    )
    if (!isFault(result) && breaksLine(field, result.value, current(field))) {
      faults.push(buildFilterFault(attrName, 'oneLine', { key: 'rule.oneLine' }))
      continue
    }
    if (isFault(result)) faults.push(result)
    else changes.push(result)
  }
  return { changes, faults }
}

/**
 * Whether an edit leaves a field as it is: nothing is sent, or the empty text that another program
 * stored, which even a required field keeps, so that exports come back.
 */
function isLeftAlone(sent: unknown, current: WireValue): boolean {
  return sent === undefined || ((sent === '' || sent === null) && current === '')
}

/** Values under the names of row metadata are no values of fields, except keys that users type. */
function isMetadata(entity: LoadedEntity, field: LoadedField, mode: FormMode): boolean {
  const { attrName } = field.definition
  return isTypedKey(entity, field)
    ? isCarried(attrName) && mode === 'edit'
    : isCarried(attrName) || attrName === entity.definition.idField
}

/** A mask that a form or a sheet sends back unchanged: the stored value stays. */
function isUnchangedMask({ kind, pii }: LoadedField, sent: unknown, current: WireValue): boolean {
  const parsed = v.safeParse(kind.value, sent)
  return (
    pii !== null &&
    parsed.success &&
    isSameValue(parsed.output as WireValue, maskValue(pii, current))
  )
}

/** Forms send all their values: a read-only field is accepted with its current value or empty. */
function repeatsCurrent(field: LoadedField, raw: unknown, current: WireValue): boolean {
  const parsed = v.safeParse(field.kind.value, raw)
  return (
    parsed.success && (isEmpty(parsed.output) || isSameValue(parsed.output as WireValue, current))
  )
}

const lineBreaks = /[\n\v\f\r\u0085\u2028\u2029]/

/** A text for a field of one line, without the line break that a copied cell or line ends with. */
function onOneLine({ kind }: LoadedField, sent: unknown): unknown {
  return kind.singleLine && typeof sent === 'string'
    ? sent.replace(/[\n\v\f\r\u0085\u2028\u2029]+$/, '')
    : sent
}

/** Whether a field of one line would get a line break; one that is stored already may stay. */
function breaksLine({ kind }: LoadedField, value: WireValue, current: WireValue): boolean {
  return (
    kind.singleLine &&
    typeof value === 'string' &&
    lineBreaks.test(value) &&
    !isSameValue(value, current)
  )
}

/** Checks a value that a flow sets, by the rules of the field. */
export function checkSetValue(
  access: EntityAccess,
  field: LoadedField,
  value: unknown,
): Change | Fault {
  return checkOne(access, field, value, { ownWords: () => [], minLength: 0 })
}

function checkOne(
  access: EntityAccess,
  field: LoadedField,
  raw: unknown,
  {
    ownWords,
    minLength,
  }: { readonly ownWords: () => readonly string[]; readonly minLength: number },
): Change | Fault {
  const { kind, definition } = field
  const { attrName } = definition
  const { value, fault: broken } = checkField(definition, raw)
  if (broken !== null) return buildFilterFault(attrName, broken.rule, broken.message)
  if (
    isHashed(access.entity, field) &&
    !isEmpty(value) &&
    !isGoodPassword(String(value), ownWords(), minLength)
  )
    return buildFilterFault(attrName, 'password', {
      key: 'entity.weakPassword',
      params: { n: minLength },
    })
  if (holdsAddress(access.entity, field) && !isEmpty(value) && !isSafeAddress(String(value)))
    return buildFilterFault(attrName, 'address', { key: 'rule.address' })
  const clean = normalizeValue(field, value)
  const { column } = buildFilterTarget(access, field)
  const stored = isHashed(access.entity, field) ? null : field.storage.store(clean, column)
  const split = idWithSeparator(field, clean, column)
  if (split !== null)
    return buildFilterFault(attrName, 'separator', { key: 'rule.separator', params: { id: split } })
  const unfit = columnViolation(stored, column)
  if (unfit !== null) return buildFilterFault(attrName, unfit, { key: `rule.${unfit}` })
  if (losesDigits(stored, column))
    return buildFilterFault(attrName, 'precision', { key: 'rule.precision' })
  if (stored === null && !kind.secret && !column.nullable && !isFilled(access.entity, field))
    return buildFilterFault(attrName, 'required', { key: 'rule.required' })
  return { field, value: clean }
}

/** The first of several choices whose id the column, which joins them by commas, would split; null: none. */
function idWithSeparator(
  { storage }: LoadedField,
  value: WireValue,
  column: Column,
): string | null {
  if (!joinsIds(storage, column) || !Array.isArray(value)) return null
  return value.map(({ id }: DictItem) => id).find((id) => id.includes(',')) ?? null
}

/** Whether a row gets a value for the column when its form has none. */
function isFilled({ table, key }: LoadedEntity, { column }: LoadedField): boolean {
  if (column === null || column.hasDefault || column.generated) return true
  // The server gives uuid keys that are left empty.
  if (key.length === 1 && key[0]?.name === column.name && column.type === 'uuid') return true
  return table.hasTriggers === true
}

/** System columns whose values are opened in a browser (docs/rules/security.md#i6). */
const addressColumns: ReadonlySet<string> = new Set(['sys.menu.path', 'sys.application.url'])

/** Whether the value is opened as it is: a system column, or a field whose link is `{attrName}`. */
function holdsAddress(
  { table, definition: { fields } }: LoadedEntity,
  { column, definition: { attrName } }: LoadedField,
): boolean {
  return (
    addressColumns.has(`${table.schema}.${table.name}.${column?.name ?? ''}`) ||
    fields.some(
      ({ linkType, linkUrl }) => linkType === linkTypes.link && linkUrl === `{${attrName}}`,
    )
  )
}

/** Sanitises rich text, and turns the root of a tree into no parent. */
function normalizeValue({ kind }: LoadedField, value: WireValue): WireValue {
  if (kind.markup && typeof value === 'string') return cleanHtml(value)
  return kind.tree && !kind.multiple && Array.isArray(value)
    ? value.filter(({ id }: DictItem) => id !== '0')
    : value
}
