// Tables of groups as the command line names them.
import type { EntityConfig } from '@jiaowu/api/entity/config'
import {
  type FooterQuery,
  type GroupComparison,
  type GroupCondition,
  type GroupFigure,
  type GroupOrder,
  type GroupQuery,
  type TableQuery,
} from '@jiaowu/api/entity/list/list-query'
import { parseJson } from '@jiaowu/api/exact-json'
import { where as whereSchema } from '@jiaowu/api/contract/shapes'
import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { onlyFigure } from '@jiaowu/machines/entity-list/table'
import * as v from 'valibot'
import { CommandError, exitCodes } from '../exit.ts'

/** The options of a table of groups. */
export interface TableFlags {
  readonly having?: readonly string[]
  readonly orderGroups?: string
  readonly cross?: string
}

export interface TableReaders {
  readonly figure: (typed: string) => FooterQuery
  readonly group: (typed: string) => GroupQuery
}

export function wantsTable({ having = [], orderGroups, cross }: TableFlags): boolean {
  return having.length > 0 || orderGroups !== undefined || cross !== undefined
}

const comparisons: readonly (readonly [sign: string, op: GroupComparison])[] = [
  ['>=', 'ge'],
  ['<=', 'le'],
  ['!=', 'notEqual'],
  ['>', 'gt'],
  ['<', 'lt'],
  ['=', 'equal'],
]

/**
 * `--having 'score:below>=3'`, `--order-groups score:below:desc`, `--cross term`. A figure that a condition or the
 * order names is added to those of the table.
 * @throws CommandError (usage)
 */
export function parseTable(
  { having = [], orderGroups, cross }: TableFlags,
  asked: readonly GroupFigure[],
  read: TableReaders,
  locale: Locale,
): TableQuery {
  const figures = [...asked]
  const fail = (text: string) =>
    new CommandError(exitCodes.usage, t(locale, 'cli.badTable', { text }))
  const place = (typed: string): 'count' | number => {
    if (typed === 'count') return 'count'
    const wanted = read.figure(typed)
    const at = figures.findIndex(
      ({ column, fn, where }) =>
        column === wanted.column && fn === wanted.fn && where === undefined,
    )
    if (at >= 0) return at
    figures.push(wanted)
    return figures.length - 1
  }
  const conditions = having.map((typed): GroupCondition => {
    const [sign, op] = comparisons.find(([each]) => typed.includes(each)) ?? ['', null]
    const [of = '', number = ''] = sign === '' ? [] : typed.split(sign)
    const value = number.trim() === '' ? Number.NaN : Number(number)
    if (op === null || !Number.isFinite(value)) throw fail(typed)
    return { of: place(of.trim()), op, value }
  })
  const order = orderGroups === undefined ? undefined : parseOrder(orderGroups, place, fail)
  if (figures.length > limits.maxTableFigures || conditions.length > limits.maxTableConditions)
    throw fail(having.join(' '))
  return {
    ...(cross === undefined ? {} : { across: read.group(cross) }),
    figures,
    having: conditions,
    ...(order === undefined ? {} : { order }),
  }
}

/** `value:desc`, `count:desc`, `score:below:desc`. */
function parseOrder(
  typed: string,
  place: (typed: string) => 'count' | number,
  fail: (text: string) => CommandError,
): GroupOrder {
  const parts = typed.split(':')
  const last = parts.at(-1)
  const isSaid = last === 'asc' || last === 'desc'
  const by = (isSaid ? parts.slice(0, -1) : parts).join(':')
  if (by === '') throw fail(typed)
  return { by: by === 'value' ? 'value' : place(by), asc: isSaid ? last === 'asc' : by === 'value' }
}

/**
 * A figure with a condition of its own: `score:count@{"and":[{"column":"score","op":"lt","value":60}]}`.
 * @throws CommandError (usage)
 */
export function parseOnly(
  config: EntityConfig,
  typed: string,
  figure: (typed: string) => FooterQuery,
  locale: Locale,
): GroupFigure {
  const at = typed.indexOf('@')
  if (at < 0) return figure(typed)
  const read = v.safeParse(whereSchema, parseOrNull(typed.slice(at + 1)))
  if (!read.success) throw new CommandError(exitCodes.usage, t(locale, 'cli.badWhere'))
  return onlyFigure(config, figure(typed.slice(0, at)), read.output, locale)
}

function parseOrNull(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
