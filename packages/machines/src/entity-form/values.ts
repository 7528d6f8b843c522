import { defaultTypes } from '@jiaowu/api/entity/enums'
import type { DictItem, Row, Values, WireValue } from '@jiaowu/api/entity/values'
import {
  type EntityConfig,
  resolveEditing,
  type Field,
  type FormMode,
} from '@jiaowu/api/entity/config'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { isMoney } from '@jiaowu/api/fields/money'
import { looksMasked } from '@jiaowu/api/pii'
import type { Message } from '@jiaowu/api/texts/index'
import { parseDecimal } from '@jiaowu/api/fields/families'
import {
  hasRules,
  readTyped,
  validateField,
  validateValues,
  type FieldFault,
} from '@jiaowu/validation'

/**
 * The user of the form, from whom the context defaults are taken
 * (docs/spec/2-student-service-and-designer.md §3).
 */
export interface FormPerson {
  readonly user: DictItem
  readonly org: DictItem | null
}
/** A broken rule, or a fault that the server found, with the server's text. */
interface Fault {
  readonly rule: string
  readonly message: string | Message
}
export type Faults = Readonly<Record<string, Fault>>

/**
 * The canonical form of a value; text that cannot be converted stays as typed, for a rule to
 * report.
 */
export function normal(field: Field, value: unknown): WireValue {
  const kind = findKind(field.uiType)
  if (value === null || value === undefined || value === '') return kind.empty
  // Fen of a default or an action: text that a person types is no whole number here (`sentValue`).
  if (isMoney(field) && typeof value === 'string') return parseFen(value)
  return kind.family === 'choice' && !Array.isArray(value)
    ? [{ id: String(value), name: '' }]
    : kind.family === 'choice'
      ? (value as unknown[]).map((item) =>
          typeof item === 'object' && item !== null
            ? (item as DictItem)
            : { id: String(item), name: '' },
        )
      : (value as WireValue)
}

function parseFen(text: string): WireValue {
  return /^[+-]?\d+$/.test(text) ? (parseDecimal(text) ?? text) : text
}

/**
 * The values of a new record: field defaults, overridden by the caller's
 * (docs/spec/1-entity-console.md §4).
 */
export function initialValues(
  config: EntityConfig,
  defaults: Values,
  person: FormPerson | null,
  now: string,
): Values {
  return Object.fromEntries(
    valueFields(config).map((field) => [
      field.attrName,
      Object.hasOwn(defaults, field.attrName)
        ? withCurrentNames(field, normal(field, defaults[field.attrName]))
        : computeDefault(field, person, now),
    ]),
  )
}

function valueFields(config: EntityConfig) {
  return config.fields.filter((field) => holdsValue(field.uiType))
}

function withCurrentNames(field: Field, value: WireValue): WireValue {
  if (!Array.isArray(value) || field.dictData === undefined) return value
  return value
    .map((item: DictItem) => field.dictData?.find(({ id }) => id === item.id) ?? item)
    .map(({ id, name }) => ({ id, name }))
}

/** A default as a value of the form; a text for a choice kind is a comma list of ids. */
function computeDefault(field: Field, person: FormPerson | null, now: string): WireValue {
  const kind = findKind(field.uiType)
  if (field.uiDefaultType === defaultTypes.none) return kind.empty
  const raw =
    field.uiDefaultType === defaultTypes.context
      ? contextDefault(field, person, now)
      : field.defaultValue
  const given =
    kind.family === 'choice' && kind.multiple && typeof raw === 'string' && !isItem(field, raw)
      ? raw.split(',').filter((id) => id !== '')
      : raw
  const text =
    kind.temporal !== null && typeof given === 'string'
      ? (kind.temporal.fromMoment(given) ?? given)
      : given
  const fault = validateField({ ...field, valids: {} }, text)
  return fault === null ? withCurrentNames(field, normal(field, text)) : kind.empty
}

function isItem({ dictData }: Field, id: string): boolean {
  return dictData?.some((item) => item.id === id) === true
}

function contextDefault(field: Field, person: FormPerson | null, now: string): unknown {
  const isChoice = findKind(field.uiType).family === 'choice'
  if (field.defaultValue === 'currentTime') return now
  const who = field.defaultValue === 'currentOrg' ? person?.org : person?.user
  return who === null || who === undefined ? null : isChoice ? [who] : who.name
}

export function valuesOfRow(config: EntityConfig, row: Row): Values {
  return Object.fromEntries(
    valueFields(config).map((field) => [
      field.attrName,
      row[field.attrName] ?? findKind(field.uiType).empty,
    ]),
  )
}

export function sameIds(a: WireValue | undefined, b: WireValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return (
      a.length === b.length &&
      a.every((item: DictItem, i) => item.id === (b[i] as DictItem | undefined)?.id)
    )
  return (a ?? null) === (b ?? null)
}

/**
 * A new value, with the values and faults of cascade children cleared
 * (docs/spec/1-entity-console.md §4).
 */
export function changeValue(
  config: EntityConfig,
  values: Values,
  faults: Faults,
  attrName: string,
  value: WireValue,
): { readonly values: Values; readonly faults: Faults } {
  const children = sameIds(values[attrName], value) ? [] : cascadeChildren(config, attrName)
  const emptied = Object.fromEntries(
    children.map((child) => [
      child,
      findKind(config.fields.find((field) => field.attrName === child)?.uiType ?? 'input').empty,
    ]),
  )
  const gone = new Set([attrName, ...children])
  return {
    values: { ...values, [attrName]: value, ...emptied },
    faults: Object.fromEntries(Object.entries(faults).filter(([path]) => !gone.has(path))),
  }
}

/** Every field below `attrName` in its cascades, at any depth. */
function cascadeChildren(
  config: EntityConfig,
  attrName: string,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] {
  return config.fields
    .filter(
      (field) =>
        !seen.has(field.attrName) &&
        (field.options.cascades ?? []).some((cascade) => cascade.attrName === attrName),
    )
    .flatMap((field) => [
      field.attrName,
      ...cascadeChildren(config, field.attrName, new Set([...seen, attrName, field.attrName])),
    ])
}

interface FormValues {
  readonly config: EntityConfig | null
  readonly values: Values
  readonly original: Values
}

/**
 * The values with typed texts in the form that their fields store: `138 0000 0001` without blanks,
 * `２０２４／９／１` as a day. Untouched values stay as they are stored.
 */
export function tidyTypedValues(
  { config, values, original }: FormValues,
  mode: FormMode,
  names: readonly string[] = Object.keys(values),
): Values {
  const changed = (config?.fields ?? []).flatMap((field): (readonly [string, WireValue])[] => {
    const { attrName } = field
    const value = values[attrName]
    if (
      typeof value !== 'string' ||
      isMoney(field) ||
      value === '' ||
      value === original[attrName] ||
      !names.includes(attrName) ||
      !hasRules(field, mode) ||
      ((field.pii ?? null) !== null && looksMasked(value))
    )
      return []
    const typed = readTyped(field, value)
    return typed.value === undefined || typed.value === value ? [] : [[attrName, typed.value]]
  })
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) }
}

/** The fault of one field, if it has rules in this mode. */
export function findFieldFault(
  config: EntityConfig,
  values: Values,
  attrName: string,
  mode: FormMode,
): FieldFault | null {
  const field = config.fields.find((each) => each.attrName === attrName)
  return field === undefined || !hasRules(field, mode)
    ? null
    : validateField(field, values[attrName], values)
}

export function allFaults(config: EntityConfig, values: Values, mode: FormMode): Faults {
  return Object.fromEntries(
    validateValues(config.fields, values, mode).map(({ path, rule, message }) => [
      path,
      { rule, message },
    ]),
  )
}

/**
 * When a field is checked: choices as they change, others when they are left
 * (docs/spec/1-entity-console.md §5).
 */
export function checksOn(
  config: EntityConfig,
  attrName: string,
  trigger: 'change' | 'blur',
): boolean {
  const field = config.fields.find((each) => each.attrName === attrName)
  return field !== undefined && findKind(field.uiType).trigger === trigger
}

/**
 * The values to send: editable fields, of an existing record those that changed. An untouched
 * password is not sent.
 */
export function savedValues(
  config: EntityConfig,
  values: Values,
  original: Values | null,
  mode: FormMode,
): Values {
  return Object.fromEntries(
    valueFields(config)
      .filter((field) => resolveEditing(field, mode) === 'editable')
      .filter(
        (field) => original === null || !sameIds(values[field.attrName], original[field.attrName]),
      )
      .map((field) => [field.attrName, values[field.attrName] ?? null]),
  )
}

/** Fields that differ between two sets of values. */
export function listChangedFields(
  config: EntityConfig,
  mine: Values,
  theirs: Values,
  mode: FormMode,
): readonly string[] {
  return valueFields(config)
    .filter(
      (field) =>
        resolveEditing(field, mode) === 'editable' &&
        !findKind(field.uiType).secret &&
        !sameIds(mine[field.attrName], theirs[field.attrName]),
    )
    .map((field) => field.attrName)
}
