import * as v from 'valibot'
import type { QueryOperator } from '../entity/enums.ts'
import type { DictItem, WireValue } from '../entity/values.ts'

/** What a kind of field means, whatever draws or stores it. One row of {@link fieldKinds}. */
export interface FieldKind {
  readonly family: 'text' | 'number' | 'choice' | 'flag' | 'temporal' | 'media' | 'layout'
  /** Several choices at once. */
  readonly multiple: boolean
  /** Choices form a tree (items carry `pid`). */
  readonly tree: boolean
  /** Parses what arrives on the wire into the one canonical value; `null` (or `[]`) when empty. */
  readonly value: v.GenericSchema<unknown, WireValue>
  readonly empty: WireValue
  /** When a form checks the value (docs/spec/1-entity-console.md §5). */
  readonly trigger: 'change' | 'blur'
  readonly operators: readonly QueryOperator[]
  /** Pixels; `label` is 25 per character of the label, at least 80 (docs/spec/1-entity-console.md §9). */
  readonly minWidth: number | 'label'
  /** The value as one line of text: cells, terminals, sheets. */
  readonly toText: (value: WireValue | undefined) => string
  /** Text from a sheet or a prompt as a wire value; undefined when it cannot be one. Choice kinds are resolved by name elsewhere. */
  readonly fromText: (text: string) => WireValue | undefined
}

const blankToNull = (value: unknown) => (value === undefined || value === '' ? null : value)

const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const textValue = nullable(
  v.pipe(
    v.string(),
    v.check((s) => !controlCharacters.test(s)),
  ),
)
export const text: FieldKind = {
  family: 'text',
  multiple: false,
  tree: false,
  value: textValue,
  empty: null,
  trigger: 'blur',
  minWidth: 'label',
  operators: ['equal', 'notEqual', 'in', 'like', 'leftLike', 'rightLike'],
  toText: plainText,
  fromText: (s) => (s === '' ? null : s),
}

function plainText(value: WireValue | undefined) {
  return value === null || value === undefined
    ? ''
    : Array.isArray(value)
      ? value.map((item: DictItem) => item.name).join(',')
      : String(value)
}

const decimal = /^[+-]?\d{1,38}(\.\d{1,20})?$/

/** A number; beyond 15 digits a string, since a double cannot hold it (docs/rules/contract.md#entity-data). */
export function parseDecimal(input: string): number | string | undefined {
  if (!decimal.test(input)) return undefined
  return input.replace(/\D/g, '').replace(/^0+/, '').length <= 15 ? Number(input) : input
}

const numberValue = nullable(
  v.pipe(
    v.union([v.pipe(v.number(), v.finite()), v.pipe(v.string(), v.trim(), v.regex(decimal))]),
    v.transform((n) => (typeof n === 'number' ? n : (parseDecimal(n) ?? n))),
  ),
)
export const number: FieldKind = {
  family: 'number',
  multiple: false,
  tree: false,
  value: numberValue,
  empty: null,
  trigger: 'blur',
  minWidth: 'label',
  operators: ['equal', 'notEqual', 'gt', 'ge', 'lt', 'le', 'in', 'between'],
  toText: plainText,
  fromText: (s) => (s.trim() === '' ? null : parseDecimal(s.trim())),
}

const id = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.integer())]),
  v.transform(String),
  v.maxLength(200),
)
const item = v.pipe(
  v.union([
    v.pipe(
      id,
      v.transform((x) => ({ id: x, name: '' })),
    ),
    v.pipe(
      v.looseObject({ id, name: v.optional(v.nullable(v.string())) }),
      v.transform(({ id: x, name }) => ({ id: x, name: name ?? '' })),
    ),
  ]),
) as v.GenericSchema<unknown, DictItem>
/** `[{id,name}]`, a bare id, a list of ids, or one item (docs/rules/contract.md#entity-data); duplicates collapse. */
const choiceList = v.pipe(
  v.unknown(),
  v.transform((value) => {
    const x = blankToNull(value)
    return x === null ? [] : Array.isArray(x) ? x : [x]
  }),
  v.array(item),
  v.maxLength(500),
  v.transform((items) => [...new Map(items.map((x) => [x.id, x])).values()] as readonly DictItem[]),
)
const oneOfList = v.pipe(choiceList, v.maxLength(1))
export const single = choice(false, false)

function choice(multiple: boolean, tree: boolean): FieldKind {
  return {
    family: 'choice',
    multiple,
    tree,
    value: multiple ? choiceList : oneOfList,
    empty: [],
    trigger: 'change',
    minWidth: 'label',
    operators: multiple ? ['equal', 'in', 'multiContains'] : ['equal', 'notEqual', 'in'],
    toText: plainText,
    fromText: (s) => (s.trim() === '' ? [] : undefined),
  }
}

export const several = choice(true, false)
export const singleTree = choice(false, true)
export const severalTree = choice(true, true)

const yes = new Set(['1', '是', 'yes', 'true', 'y'])
const no = new Set(['0', '否', 'no', 'false', 'n'])
export const flag: FieldKind = {
  family: 'flag',
  multiple: false,
  tree: false,
  empty: null,
  trigger: 'change',
  minWidth: 'label',
  operators: ['equal'],
  value: nullable(
    v.pipe(
      v.union([v.string(), v.number(), v.boolean()]),
      v.transform((x) => (x === true ? '1' : x === false ? '0' : String(x))),
      v.picklist(['0', '1']),
    ),
  ),
  toText: plainText,
  fromText: flagFromText,
}

function nullable<T extends WireValue>(schema: v.GenericSchema<unknown, T>) {
  return v.pipe(v.unknown(), v.transform(blankToNull), v.nullable(schema)) as v.GenericSchema<
    unknown,
    T | null
  >
}

function flagFromText(s: string): WireValue | undefined {
  const word = s.trim().toLowerCase()
  return word === '' ? null : yes.has(word) ? '1' : no.has(word) ? '0' : undefined
}

const pad = (n: number, digits = 2) => String(n).padStart(digits, '0')
const dateLike =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/
/** Canonical forms: `YYYY-MM-DD`, `YYYY-MM-DD HH:mm:ss`, `YYYY`, `HH:mm:ss` (docs/rules/contract.md#entity-data). */
export const date = temporal(readDate, 100)

function temporal(read: (s: string) => string | undefined, minWidth: number | 'label'): FieldKind {
  return {
    family: 'temporal',
    multiple: false,
    tree: false,
    empty: null,
    trigger: 'blur',
    minWidth,
    operators: ['between', 'equal', 'notEqual', 'gt', 'ge', 'lt', 'le'],
    value: nullable(
      v.pipe(
        v.union([v.string(), v.number()]),
        v.transform((x) => read(String(x)) ?? ''),
        v.check((s) => s !== ''),
      ),
    ),
    toText: plainText,
    fromText: (s) => (s.trim() === '' ? null : read(s)),
  }
}

function readDate(s: string): string | undefined {
  const found = dateLike.exec(s.trim())
  if (found === null) return undefined
  const day = `${found[1]}-${pad(Number(found[2]))}-${pad(Number(found[3]))}`
  return realDate(day) ? day : undefined
}

function realDate(s: string) {
  const [y, m, d] = s.slice(0, 10).split('-').map(Number)
  const at = new Date(Date.UTC(y ?? 0, (m ?? 0) - 1, d ?? 0))
  return at.getUTCMonth() === (m ?? 0) - 1 && at.getUTCDate() === d
}

export const datetime = temporal(readDatetime, 150)

function readDatetime(s: string): string | undefined {
  const day = readDate(s)
  const clock = readTime(s.trim().split(/[ T]/)[1] ?? '00:00:00')
  return day === undefined || clock === undefined ? undefined : `${day} ${clock}`
}

function readTime(s: string): string | undefined {
  const found = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/.exec(s.trim())
  if (found === null) return undefined
  const [h, m, sec] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)]
  return h < 24 && m < 60 && sec < 60 ? `${pad(h)}:${pad(m)}:${pad(sec)}` : undefined
}

export const year = temporal(readYear, 'label')

function readYear(s: string): string | undefined {
  const y = s.trim().replace(/年$/, '')
  return /^(1[89]|20|21)\d\d$/.test(y) ? y : undefined
}

export const time = temporal(readTime, 100)

export const images: FieldKind = {
  ...several,
  family: 'media',
  operators: [],
  minWidth: 120,
  value: v.pipe(choiceList, v.maxLength(50)),
  fromText: (s) => (s.trim() === '' ? [] : undefined),
}
export const html: FieldKind = {
  ...text,
  trigger: 'change',
  operators: ['like'],
  minWidth: 102,
  toText: (value) =>
    plainText(value)
      .replace(/<[^>]*>/g, ' ')
      .replace(/&nbsp;/g, ' ')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&')
      .replace(/\s+/g, ' ')
      .trim(),
}
/** Stored as a hash: goes in, never comes out (docs/rules/contract.md#entity-data). */
export const secret: FieldKind = {
  ...text,
  operators: [],
  toText: () => '',
  fromText: (s) => (s === '' ? null : s),
}
export const layout: FieldKind = {
  ...text,
  family: 'layout',
  operators: [],
  value: v.pipe(
    v.unknown(),
    v.transform(() => null),
  ),
  toText: () => '',
  fromText: () => undefined,
}
