// The scale of a number: `valids.min`, `max` and `step`, each a number or an expression over `row`
// (docs/rules/contract.md#rules-of-values). Clients and the server compute them by the same code.
import type { Field } from '@jiaowu/api/entity/config'
import { isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import type { Message } from '@jiaowu/api/texts/index'
import { plainDecimal } from '@jiaowu/api/fields/families'
import type { Values, WireValue } from '@jiaowu/api/entity/values'
import { valueText } from '@jiaowu/api/fields/money'
import { type Expression, ExpressionError } from '../expression/ast.ts'
import { evaluate } from '../expression/evaluate.ts'
import { type RelationRead, listRelationReads, listRowNames } from '../expression/names.ts'
import { parseFormula } from '../expression/parse.ts'

export const boundNames = ['min', 'max', 'step'] as const
export type BoundName = (typeof boundNames)[number]

type BoundField = Pick<Field, 'attrName' | 'uiType' | 'valids' | 'options'>

/** Reads of a field's bounds: names of its row, and of the rows that one refers to. */
export interface BoundReads {
  readonly attrName: string
  readonly reads: readonly string[]
  readonly relations: readonly RelationRead[]
}

interface Bound {
  readonly name: BoundName
  /** The digits of a bound that is a number: an expression rounds it to a double. */
  readonly digits: string | null
  readonly ast: Expression
}

const decimal = /^[+-]?\d+(?:\.\d+)?$/
/** Parsed bounds by the rules that hold them: definitions live as long as their entity. */
const known = new WeakMap<BoundField['valids'], readonly Bound[]>()

/**
 * The bounds of a field in a row, as decimals. One is left out where the row lacks what it reads, or
 * where its expression gives no number.
 */
export function boundsIn(
  field: BoundField,
  row: Values | null,
): Readonly<Partial<Record<BoundName, string>>> {
  const found: Partial<Record<BoundName, string>> = {}
  for (const { name, digits, ast } of listBounds(field)) {
    const value = digits ?? (isKnown(ast, row) ? numberIn(ast, row ?? {}) : null)
    if (value !== null) found[name] = value
  }
  return found
}

/**
 * The first bound that a number breaks; null for empty values, for fields without bounds, and for a text that
 * is no number, which the rule of the kind refuses.
 */
export function brokenBound(
  field: BoundField,
  value: WireValue,
  row: Values | null,
): { readonly name: BoundName; readonly message: Message } | null {
  if (isEmpty(value) || findKind(field.uiType).family !== 'number') return null
  const number = plainDecimal(String(value)).trim()
  if (!decimal.test(number)) return null
  const { min, max, step } = boundsIn(field, row)
  const fault = (name: BoundName, bound: string) => ({
    name,
    message: { key: `rule.${name}`, params: { bound: valueText(field, bound) } } as const,
  })
  if (min !== undefined && compareDecimals(number, min) < 0) return fault('min', min)
  if (max !== undefined && compareDecimals(number, max) > 0) return fault('max', max)
  return step === undefined || isMultiple(number, min ?? '0', step) ? null : fault('step', step)
}

/**
 * The values of a row that are out of bounds, where one of the names `changed` is the field or what its
 * bounds read. What was stored before its field had bounds stays until then.
 */
export function brokenBounds(
  fields: readonly BoundField[],
  row: Values,
  changed: ReadonlySet<string>,
): readonly {
  readonly attrName: string
  readonly name: BoundName
  readonly message: Message
}[] {
  return boundReads(fields).flatMap(({ attrName, reads }) => {
    const field = fields.find((each) => each.attrName === attrName)
    if (field === undefined || ![attrName, ...reads].some((name) => changed.has(name))) return []
    const broken = brokenBound(field, row[attrName] ?? null, row)
    return broken === null ? [] : [{ attrName, ...broken }]
  })
}

/** The fields with bounds, and what those read. */
export function boundReads(fields: readonly BoundField[]): readonly BoundReads[] {
  return fields.flatMap((field) => {
    const asts = listBounds(field).map(({ ast }) => ast)
    return asts.length === 0
      ? []
      : [
          {
            attrName: field.attrName,
            reads: [...new Set(asts.flatMap(listRowNames))],
            relations: asts.flatMap(listRelationReads),
          },
        ]
  })
}

/** The source of a bound; null for none. */
export function boundSource(bound: number | string | undefined): string | null {
  return bound === undefined || bound === '' ? null : plainDecimal(bound)
}

function listBounds({ uiType, valids }: BoundField): readonly Bound[] {
  if (findKind(uiType).family !== 'number') return []
  const found = known.get(valids) ?? boundNames.flatMap((name) => parseBound(name, valids[name]))
  known.set(valids, found)
  return found
}

/** The definition checks report an expression that does not parse. */
function parseBound(name: BoundName, bound: number | string | undefined): Bound[] {
  const source = boundSource(bound)
  try {
    const digits = source !== null && decimal.test(source.trim()) ? source.trim() : null
    return source === null ? [] : [{ name, digits, ast: parseFormula(source) }]
  } catch (error) {
    if (error instanceof ExpressionError) return []
    throw error
  }
}

function isKnown(ast: Expression, row: Values | null): boolean {
  return (
    listRowNames(ast).every((name) => row !== null && Object.hasOwn(row, name)) &&
    listRelationReads(ast).every(({ attrName, property }) => {
      const chosen = row?.[attrName]
      return (
        !Array.isArray(chosen) ||
        chosen.every(({ values }) => values !== undefined && Object.hasOwn(values, property))
      )
    })
  )
}

function numberIn(ast: Expression, row: Values): string | null {
  try {
    const value = evaluate(ast, { row, user: {}, mode: '' })
    const text =
      typeof value === 'number' || typeof value === 'string' ? plainDecimal(value).trim() : ''
    return decimal.test(text) ? text : null
  } catch (error) {
    if (error instanceof ExpressionError) return null
    throw error
  }
}

function compareDecimals(one: string, other: string): number {
  const [a, b] = alignDecimals(one, other)
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether a number lies whole steps from `base`, as the `step` of HTML counts. */
function isMultiple(number: string, base: string, step: string): boolean {
  const [n, from, by] = alignDecimals(number, base, step)
  return by <= 0n || (n - from) % by === 0n
}

/** Decimals as integers of one scale: doubles have no exact tenths. */
function alignDecimals(one: string, two: string, three = '0'): readonly [bigint, bigint, bigint] {
  const decimals = (text: string) => text.split('.')[1] ?? ''
  const places = Math.max(...[one, two, three].map((text) => decimals(text).length))
  const whole = (text: string) =>
    BigInt(`${text.split('.')[0] ?? ''}${decimals(text).padEnd(places, '0')}`.replace(/^\+/, ''))
  return [whole(one), whole(two), whole(three)]
}
