// The text of custom SQL is for those who may write it (docs/rules/security.md#i3). Everyone else gets a stand-in for it in every answer, and may send
// that back: the server knows the text it stands for again.
import { createHash } from 'node:crypto'
import { defaultTypes, dictTypes, type EntityDefinition, may } from '@jiaowu/api'
import type { Context } from '../../context.ts'
import { revisionsOf } from './store.ts'
const placeholderPattern = /^\[\[sql [\w-]{16}\]\]$/
export const isSqlPlaceholder = (text: string): boolean => placeholderPattern.test(text.trim())

/** Where a field keeps SQL: only there is a stand-in ever made or taken for one. A text taken elsewhere would come back as plain text. */
const sqlKeys = ['dictValue', 'defaultValue'] as const

/** The definition with a stand-in for each text of SQL. */
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

/** A name for exactly this text: stable from save to save, so that comparisons of definitions stay quiet. No SQL looks like it. */
function placeholderFor(text: string): string {
  return `[[sql ${createHash('sha256').update(text).digest('base64url').slice(0, 16)}]]`
}

/** A definition as this caller may read it. */
export function readableDefinition<D extends Pick<EntityDefinition, 'fields'>>(
  { subject }: Pick<Context, 'subject'>,
  definition: D,
): D {
  return may(subject.permissions, 'entity:sql') ? definition : hideSql(definition)
}

/** A body with the texts its stand-ins stand for: of the definition as it is, or of an earlier save of it. One that stands for none of them stays, and is refused by the checks. */
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
    for (const { definition } of await revisionsOf(context, tag))
      for (const text of sqlIn(definition)) known.set(placeholderFor(text), text)
  return {
    ...body,
    fields: fields.map((field: unknown) =>
      isRecord(field) ? replaceSql(field, (text) => known.get(text.trim()) ?? text) : field,
    ),
  }
}

function sqlIn(value: unknown): string[] {
  const fields =
    isRecord(value) && Array.isArray(value['fields']) ? value['fields'].filter(isRecord) : []
  return fields.flatMap((field) =>
    sqlKeys.flatMap((key) => {
      const text = field[key]
      return holdsSql(field, key) && typeof text === 'string' ? [text] : []
    }),
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
