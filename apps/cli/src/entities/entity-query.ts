import {
  type DictItem,
  type EntityConfig,
  type Field,
  kindOf,
  type Locale,
  operatorOf,
  type Sort,
  t,
} from '@jiaowu/api'
import type { Api } from '../session/connect.ts'
import { CommandError, exitCodes } from '../exit.ts'

/** `column:desc,other` as sorts; a bare name ascends. */
export function parseSorts(config: EntityConfig, text: string | undefined, locale: Locale): Sort[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [column = '', direction = 'asc'] = part.split(':')
      if (!['asc', 'desc', 'true', 'false'].includes(direction))
        throw new CommandError(exitCodes.usage, t(locale, 'cli.badSort', { sort: part }))
      return {
        column: fieldOf(config, column, locale).attrName,
        asc: direction === 'asc' || direction === 'true',
      }
    })
}

function fieldOf(config: EntityConfig, attrName: string, locale: Locale): Field {
  const found = config.fields.find(
    (field) => field.attrName === attrName || field.uiLabel === attrName,
  )
  if (found === undefined)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.unknownField', { field: attrName, tag: config.tag }),
    )
  return found
}

/**
 * `name=张`, `birth=2000-01-01..2001-12-31`, `faculty=信息学院`, `status=1,2`: the operator is the field's own.
 * @throws CommandError (usage) on a field or choice that is not there
 */
export async function parseFilters(
  api: Api,
  config: EntityConfig,
  filters: readonly string[],
  locale: Locale,
): Promise<Record<string, unknown>> {
  const queries: Record<string, unknown> = {}
  for (const filter of filters) {
    const { field, text } = assignmentOf(
      config,
      filter,
      t(locale, 'cli.badFilter', { filter }),
      locale,
    )
    const operator = operatorOf(field.queryType)
    const isChoice = kindOf(field.uiType).family === 'choice'
    const single = (word: string) =>
      isChoice ? choiceId(api, config, field, word, locale) : Promise.resolve(word)
    if (operator === 'between') {
      const [from, to] = text.includes('..') ? text.split('..') : [text, text]
      queries[field.attrName] = [from === '' ? null : from, to === '' ? null : to]
    } else if (
      operator === 'in' ||
      operator === 'multiContains' ||
      (isChoice && text.includes(','))
    ) {
      queries[field.attrName] = await Promise.all(text.split(',').map(single))
    } else queries[field.attrName] = await single(text)
  }
  return queries
}

/** `name=张`: the field that is named, and what it is said to be. `fault`: what to say when it is nothing of that kind. */
function assignmentOf(
  config: EntityConfig,
  given: string,
  fault: string,
  locale: Locale,
): { readonly field: Field; readonly text: string } {
  const at = given.indexOf('=')
  if (at < 1) throw new CommandError(exitCodes.usage, fault)
  return { field: fieldOf(config, given.slice(0, at), locale), text: given.slice(at + 1) }
}

/** A choice by id or by the name people read; the first exact name wins. */
async function choiceId(
  api: Api,
  config: EntityConfig,
  field: Field,
  word: string,
  locale: Locale,
): Promise<string> {
  const named = (items: readonly DictItem[]) =>
    items.find((item) => item.id === word)?.id ?? items.find((item) => item.name === word)?.id
  if (field.dictData !== undefined) return named(field.dictData) ?? word
  if (/^\d+$/.test(word)) return word
  const answer = await api.entityData.lookup({
    params: { tag: config.tag },
    body: { fieldId: field.id, searchKey: word, pageSize: 50 },
  })
  const id = named(Array.isArray(answer) ? answer : answer.records)
  if (id === undefined)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.noSuchChoice', { field: field.uiLabel, value: word }),
    )
  return id
}

/** `name=张`, `tags=a,b`, `remark=` (empty): values of a record as the wire has them; what is no value of its kind is left for the server to name. */
export async function parseValues(
  api: Api,
  config: EntityConfig,
  settings: readonly string[],
  locale: Locale,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const setting of settings) {
    const { field, text } = assignmentOf(
      config,
      setting,
      t(locale, 'cli.badSetting', { setting }),
      locale,
    )
    const kind = kindOf(field.uiType)
    const read = kind.fromText(text)
    if (read !== undefined || (kind.family !== 'choice' && kind.family !== 'media'))
      values[field.attrName] = read === undefined ? text : read
    else if (kind.family === 'media') values[field.attrName] = text.split(',')
    else
      values[field.attrName] = await Promise.all(
        (kind.multiple ? text.split(',') : [text]).map((word) =>
          choiceId(api, config, field, word.trim(), locale),
        ),
      )
  }
  return values
}

/** The fields a table shows: those named, else the list's own. */
export function columnsOf(
  config: EntityConfig,
  names: string | undefined,
  locale: Locale,
): Field[] {
  return names === undefined
    ? config.fields.filter((field) => field.isList === 1)
    : names.split(',').map((name) => fieldOf(config, name.trim(), locale))
}
