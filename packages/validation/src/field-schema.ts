import { resolveEditing, type Field, type FormMode } from '@jiaowu/api/entity/config'
import type { FieldKind } from '@jiaowu/api/fields/families'
import { holdsValue, isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { isFen, isMoney } from '@jiaowu/api/fields/money'
import { looksMasked } from '@jiaowu/api/pii'
import type { TextKey, TextParams } from '@jiaowu/api/texts/index'
import type { Values, WireValue } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { brokenBound } from './bounds/bounds.ts'
import { findRules } from './rules/index.ts'
import { weightedLength } from './rules/length.ts'
import { readAmount } from './typed/amounts.ts'
import type { RuledField, FieldFault } from './ruled-field.ts'

/** A fault with the attrName of its field. */
export interface ValuesFault extends FieldFault {
  readonly path: string
}

/** The canonical value, or the first broken rule. */
export type Checked =
  | { readonly value: WireValue; readonly fault: null }
  | { readonly value: null; readonly fault: FieldFault }

/**
 * Validates one value against its field (docs/spec/1-entity-console.md §5) and converts it to
 * canonical form. Callers decide with {@link hasRules} whether the field is validated at all.
 * Bounds that are expressions are checked where the `row` has what they read.
 */
export function checkField(field: RuledField, value: unknown, row: Values | null = null): Checked {
  const kind = findKind(field.uiType)
  const parsed = v.safeParse(kind.value, value, { abortEarly: true })
  if (isMoney(field) && !(parsed.success && isFen(parsed.output))) return notFen(value)
  if (!parsed.success) return faulty('value', findMisfitText(kind))
  const broken = firstBroken(field, parsed.output)
  if (broken !== null) return faulty(broken.name, broken.message, broken.params)
  const bound = brokenBound(field, parsed.output, row)
  return bound === null
    ? { value: parsed.output, fault: null }
    : { value: null, fault: { rule: bound.name, message: bound.message } }
}

/** Why a value is no amount in fen, in the words of what was typed. */
function notFen(value: unknown): Checked {
  const { rule, key } = readAmount(String(value))
  return faulty(rule ?? 'value', key ?? 'rule.amount')
}

const misfitTexts: Partial<Record<FieldKind['family'], TextKey>> = {
  number: 'rule.number',
  temporal: 'rule.date',
}

/** The message for a text that is no value of its kind. */
export function findMisfitText({ family }: FieldKind): TextKey {
  return misfitTexts[family] ?? 'rule.value'
}

function faulty(rule: string, key: TextKey, params?: TextParams): Checked {
  return {
    value: null,
    fault: { rule, message: { key, ...(params !== undefined && { params }) } },
  }
}

/** A rule that a value breaks. */
interface Broken {
  readonly name: string
  readonly message: TextKey
  readonly params?: TextParams
}

function firstBroken(field: RuledField, value: WireValue): Broken | null {
  if (field.valids.required === true && isUnanswered(field, value))
    return { name: 'required', message: 'rule.required' }
  // The mask of a stored value passes: the server keeps that value (docs/rules/security.md#d4).
  if (isBlankValue(field, value) || ((field.pii ?? null) !== null && looksMasked(value)))
    return null
  const { family } = findKind(field.uiType)
  if (family !== 'text' && family !== 'number') return null
  const text = toRuleText(field, value)
  return (
    brokenLength(field, text) ??
    findRules(field.valids.type).find((rule) => !rule.passes(text)) ??
    null
  )
}

function brokenLength({ uiType, valids, options }: RuledField, text: string): Broken | null {
  const maxLength = options.maxLength ?? valids.maxLength
  const isTooLong =
    (maxLength !== undefined && weightedLength(text) > maxLength) ||
    (valids.maxChars !== undefined &&
      findKind(uiType).family === 'text' &&
      [...text].length > valids.maxChars)
  if (isTooLong) return { name: 'maxLength', message: 'rule.maxLength' }
  return valids.minLength !== undefined && weightedLength(text) < valids.minLength
    ? { name: 'minLength', message: 'rule.minLength', params: { n: valids.minLength } }
    : null
}

/**
 * Whitespace-only counts as blank for required fields, except in passwords, which are taken
 * literally.
 */
function isUnanswered(field: RuledField, value: WireValue): boolean {
  const { family, secret } = findKind(field.uiType)
  return isBlankValue(field, value) || (family === 'text' && !secret && String(value).trim() === '')
}

/** Rich text without visible content is blank. */
function isBlankValue(field: RuledField, value: WireValue): boolean {
  const { markup, toText } = findKind(field.uiType)
  return isEmpty(value) || (markup && !/<(img|hr)\b/i.test(String(value)) && toText(value) === '')
}

function toRuleText(field: RuledField, value: WireValue): string {
  const { secret, toText } = findKind(field.uiType)
  return secret ? String(value) : toText(value)
}

/** Only the fault, as forms need it. */
export function validateField(
  field: RuledField,
  value: unknown,
  row: Values | null = null,
): FieldFault | null {
  return checkField(field, value, row).fault
}

/** The rules as a valibot schema, for callers that compose schemas. */
export function fieldSchema(field: RuledField): v.GenericSchema<unknown, WireValue> {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, WireValue>(({ dataset, addIssue, NEVER }) => {
      const { value, fault } = checkField(field, dataset.value)
      if (fault === null) return value
      addIssue({ message: fault.message.key })
      return NEVER
    }),
  )
}

/**
 * Whether a field is validated. Hidden, disabled and read-only fields are not
 * (docs/spec/1-entity-console.md §5).
 */
export function hasRules(
  field: RuledField & Pick<Field, 'isAdd' | 'isEdit' | 'disabled'>,
  mode: FormMode,
): boolean {
  return holdsValue(field.uiType) && resolveEditing(field, mode) === 'editable'
}

/** All faults of a form, in the order of its fields. */
export function validateValues(
  fields: readonly (RuledField & Pick<Field, 'isAdd' | 'isEdit' | 'disabled'>)[],
  values: Values,
  mode: FormMode,
): ValuesFault[] {
  return fields
    .filter((field) => hasRules(field, mode))
    .flatMap((field) => {
      const fault = validateField(field, values[field.attrName], values)
      return fault === null ? [] : [{ path: field.attrName, ...fault }]
    })
}
