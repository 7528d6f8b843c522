import * as v from 'valibot'
import type { QueryOperator } from '../entity/enums.ts'
import type { DictItem, WireValue } from '../entity/values.ts'
import { readDate, readDatetime, readTime, readYear } from './dates.ts'

/** The meaning of a kind of field on every surface: one row of {@link fieldKinds}. */
export interface FieldKind {
  readonly family: 'text' | 'number' | 'choice' | 'flag' | 'temporal' | 'media' | 'layout'
  /** The value is a list of several choices. */
  readonly multiple: boolean
  /** The choices form a tree: items carry `pid`. */
  readonly tree: boolean
  /** Stored as a hash: can be written, never read, listed, exported or compared. */
  readonly secret: boolean
  /** The text is HTML: sanitised when it is written, kept as markup in sheets. */
  readonly markup: boolean
  /** Typed text is kept as it is: inputs do not trim or reformat it. */
  readonly verbatim: boolean
  /** One line of plain text: can name a row, and is worth a search box in a new definition. */
  readonly singleLine: boolean
  /** Lists can be ordered by it, because it is one plain value. */
  readonly sortable: boolean
  /** Numbers that users order rows by: moving a row renumbers its siblings. */
  readonly ordinal: boolean
  /** Many rows can be given the same value at once. */
  readonly bulkEditable: boolean
  /** How a list column is aligned unless its definition says otherwise. */
  readonly align: 'left' | 'right'
  /**
   * The part that a layout kind draws in a form; null for kinds with a value, and for unknown
   * kinds.
   */
  readonly layout: 'group' | 'divider' | null
  /** Set exactly where `family` is `temporal`. */
  readonly temporal: TemporalKind | null
  /** Parses wire input into the canonical value; `null` (or `[]`) when empty. */
  readonly value: v.GenericSchema<unknown, WireValue>
  readonly empty: WireValue
  /** When a form checks the value (docs/spec/1-entity-console.md §5). */
  readonly trigger: 'change' | 'blur'
  /** Query operators the kind supports; lists cannot be filtered by a kind that has none. */
  readonly operators: readonly QueryOperator[]
  /** Pixels; `label` is 25 per character, at least 80 (docs/spec/1-entity-console.md §9). */
  readonly minWidth: number | 'label'
  /** The value as one line of text: cells, terminals, sheets. */
  readonly toText: (value: WireValue | undefined) => string
  /**
   * Reads text from a sheet or a prompt; undefined when it is no value of the kind.
   * Choices are always undefined here: callers look them up by name.
   */
  readonly fromText: (text: string) => WireValue | undefined
}

/** Properties that set the kinds of dates and times apart. */
export interface TemporalKind {
  /** The span of time that one value covers. */
  readonly unit: 'year' | 'day' | 'second'
  /** Whether a value names a calendar day, so that `20260105` can be read as one. */
  readonly hasDay: boolean
  /** PostgreSQL types of the columns that can hold it, besides texts. */
  readonly columnTypes: readonly string[]
  /** The part of `YYYY-MM-DD HH:mm:ss` that the kind keeps; undefined when it is missing. */
  readonly fromMoment: (moment: string) => string | undefined
}

/** Properties that most kinds have in common. */
const common = {
  multiple: false,
  tree: false,
  secret: false,
  markup: false,
  verbatim: false,
  singleLine: false,
  sortable: true,
  ordinal: false,
  bulkEditable: true,
  align: 'left',
  layout: null,
  temporal: null,
} as const

const blankToNull = (value: unknown) => (value === undefined || value === '' ? null : value)

const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const textValue = nullable(
  v.pipe(
    v.string(),
    v.check((s) => !controlCharacters.test(s)),
  ),
)
export const text: FieldKind = {
  ...common,
  family: 'text',
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

/** A `numeric` column holds at most 1,000 digits where it names its precision. */
const decimal = /^[+-]?\d{1,1000}(\.\d{1,1000})?$/

/**
 * Parses a number. Beyond 15 digits it stays a string, because a double cannot hold it
 * (docs/rules/contract.md#entity-data).
 */
export function parseDecimal(input: string): number | string | undefined {
  if (!decimal.test(input)) return undefined
  return input.replace(/\D/g, '').replace(/^0+/, '').length <= 15 ? Number(input) + 0 : input
}

/** The digits of a number without an exponent: `1e-7` → `0.0000001`. */
export function plainDecimal(value: number | string): string {
  const text = String(value)
  const found = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (found === null) return text
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = found
  const [digits, point] = [whole + decimals, 1 + Number(exponent)]
  return point <= 0
    ? `${sign}0.${'0'.repeat(-point)}${digits}`
    : point >= digits.length
      ? `${sign}${digits.padEnd(point, '0')}`
      : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

const numberValue = nullable(
  v.pipe(
    v.union([v.pipe(v.number(), v.finite()), v.pipe(v.string(), v.trim(), v.regex(decimal))]),
    v.transform((n) => (typeof n === 'number' ? n + 0 : (parseDecimal(n) ?? n))),
  ),
)
export const number: FieldKind = {
  ...common,
  family: 'number',
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
/**
 * Accepts `[{id,name}]`, a bare id, a list of ids, or one item
 * (docs/rules/contract.md#entity-data); removes duplicates.
 */
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
    ...common,
    family: 'choice',
    multiple,
    tree,
    sortable: !multiple,
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

const yes = new Set('1 是 yes true y t on √ ✓ ✔ ☑ 对 有 启用 真 开 已'.split(' '))
const no = new Set('0 否 no false n f off × ✗ ✘ ☒ x 错 无 停用 假 关 未 不是'.split(' '))
export const flag: FieldKind = {
  ...common,
  family: 'flag',
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
  const word = s.normalize('NFKC').trim().toLowerCase().replace(/\.0+$/, '')
  return word === '' ? null : yes.has(word) ? '1' : no.has(word) ? '0' : undefined
}

/**
 * Canonical forms: `YYYY-MM-DD`, `YYYY-MM-DD HH:mm:ss`, `YYYY`, `HH:mm:ss`
 * (docs/rules/contract.md#entity-data).
 */
export const date = temporal(readDate, 100, {
  unit: 'day',
  hasDay: true,
  columnTypes: ['date', 'timestamp', 'timestamptz'],
  fromMoment: readDate,
})

function temporal(
  read: (s: string) => string | undefined,
  minWidth: number | 'label',
  parts: TemporalKind,
): FieldKind {
  return {
    ...common,
    family: 'temporal',
    temporal: parts,
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

export const datetime = temporal(readDatetime, 150, {
  unit: 'second',
  hasDay: true,
  columnTypes: ['timestamp', 'timestamptz', 'date'],
  fromMoment: readDatetime,
})

export const year = temporal(readYear, 'label', {
  unit: 'year',
  hasDay: false,
  columnTypes: ['int2', 'int4', 'int8', 'numeric'],
  fromMoment: (moment) => readYear(moment.slice(0, 4)),
})

export const time = temporal(readTime, 100, {
  unit: 'second',
  hasDay: false,
  columnTypes: ['time', 'timetz'],
  fromMoment: (moment) => readTime(moment.slice(-8)),
})

export const images: FieldKind = {
  ...several,
  family: 'media',
  bulkEditable: false,
  operators: [],
  minWidth: 120,
  value: v.pipe(choiceList, v.maxLength(50)),
  fromText: (s) => (s.trim() === '' ? [] : undefined),
}
export const html: FieldKind = {
  ...text,
  markup: true,
  verbatim: true,
  sortable: false,
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
/** Passwords (docs/rules/contract.md#entity-data). */
export const secret: FieldKind = {
  ...text,
  secret: true,
  verbatim: true,
  sortable: false,
  bulkEditable: false,
  operators: [],
  toText: () => '',
  fromText: (s) => (s === '' ? null : s),
}
/** A kind without a value, drawn as nothing. */
export const layout: FieldKind = {
  ...text,
  family: 'layout',
  sortable: false,
  bulkEditable: false,
  operators: [],
  value: v.pipe(
    v.unknown(),
    v.transform(() => null),
  ),
  toText: () => '',
  fromText: () => undefined,
}
