// Only users who may write custom SQL see its text (docs/rules/security.md#i3). Answers to everyone
// else contain placeholders, which the server replaces by the text when they are sent back.
import { createHash } from 'node:crypto'
import { defaultTypes, dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { may } from '@jiaowu/api/entity/permission'
import type { Context } from '../../model/context.ts'
import { loadRevisions } from './store.ts'

const placeholderPattern = /^\[\[sql [\w-]{16}\]\]$/
export const isSqlPlaceholder = (text: string): boolean => placeholderPattern.test(text.trim())

/** The keys of a field that may hold SQL. Placeholders in other keys are ordinary text. */
const sqlKeys = ['dictValue', 'defaultValue'] as const

/** Replaces each text of SQL by its placeholder. */
export function hideSql<D extends Pick<EntityDefinition, 'fields'>>(definition: D): D {
  return {
    ...definition,
    fields: definition.fields.map((field) =>
      replaceSql(field, (text) => (isSqlPlaceholder(text) ? text : placeholderFor(text))),
    ),
  }
}

function replaceSql<F extends object>(field: F, change: (text: string) => string): F {
  const given = field as F & Readonly<Record<string, unknown>>
  const changes = sqlKeys.flatMap((key) => {
    const text = given[key]
    return holdsSql(given, key) && typeof text === 'string' && text !== ''
      ? [[key, change(text)] as const]
      : []
  })
  return changes.length === 0 ? field : { ...field, ...Object.fromEntries(changes) }
}

function holdsSql(
  field: Readonly<Record<string, unknown>>,
  key: (typeof sqlKeys)[number],
): boolean {
  return key === 'dictValue'
    ? field['dictType'] === dictTypes.sql
    : field['uiDefaultType'] === defaultTypes.sql
}

/**
 * A hash of the text, so that comparing two versions of a definition shows no false change. The
 * brackets keep it from being valid SQL.
 */
function placeholderFor(text: string): string {
  return `[[sql ${createHash('sha256').update(text).digest('base64url').slice(0, 16)}]]`
}

/** The definition as the caller may read it. */
export function readableDefinition<D extends Pick<EntityDefinition, 'fields'>>(
  { subject }: Pick<Context, 'subject'>,
  definition: D,
): D {
  return may(subject.permissions, 'entity:sql') ? definition : hideSql(definition)
}

/**
 * Replaces placeholders by their SQL from the current definition or an earlier revision. An unknown
 * placeholder stays, and the definition checks refuse it.
 */
export async function restoreSql(
  context: Context,
  tag: string,
  before: EntityDefinition | null,
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { fields } = body
  if (!Array.isArray(fields)) return body
  const wanted = new Set(
    sqlIn(body)
      .filter(isSqlPlaceholder)
      .map((text) => text.trim()),
  )
  if (wanted.size === 0) return body
  const known = new Map(sqlIn(before).map((text) => [placeholderFor(text), text]))
  if ([...wanted].some((name) => !known.has(name)))
    for (const { definition } of await loadRevisions(context, tag))
      for (const text of sqlIn(definition)) known.set(placeholderFor(text), text)
  return {
    ...body,
    fields: fields.map((field: unknown) =>
      isReadonlyRecord(field) ? replaceSql(field, (text) => known.get(text.trim()) ?? text) : field,
    ),
  }
}

function sqlIn(value: unknown): string[] {
  const fields =
    isReadonlyRecord(value) && Array.isArray(value['fields'])
      ? value['fields'].filter(isReadonlyRecord)
      : []
  return fields.flatMap((field) =>
    sqlKeys.flatMap((key) => {
      const text = field[key]
      return holdsSql(field, key) && typeof text === 'string' ? [text] : []
    }),
  )
}

function isReadonlyRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
