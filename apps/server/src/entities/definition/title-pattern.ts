// The title of an entity as a pattern of several fields. Every field keeps its own rights and mask: the
// parts travel apart until each has been opened and masked.
import { type EntityOptions, fillTitle, maskPii, type TitlePart, titleParts } from '@jiaowu/api'
import { type RawBuilder, sql } from 'kysely'
import type { LoadedField } from './loaded.ts'
import { columnRef, typed } from './names.ts'

export interface TitlePattern {
  readonly parts: readonly TitlePart[]
  /** The fields of the pattern in order, each with a column. */
  readonly fields: readonly LoadedField[]
}

interface Titled {
  readonly definition: { readonly options: Pick<EntityOptions, 'titlePattern'> }
  readonly field: (attrName: string) => LoadedField | undefined
}

/** Stands before each part; no text that a form takes contains it. */
const separator = '\u001f'

/** Null without a pattern, or where one of its fields cannot be shown as text. */
export function patternOf({ definition: { options }, field }: Titled): TitlePattern | null {
  if (options.titlePattern === undefined) return null
  const parts = titleParts(options.titlePattern)
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.attrName]))
  const fields = names.flatMap((name) => field(name) ?? [])
  const isUsable = fields.every(({ column, kind }) => column !== null && !kind.secret)
  return isUsable && fields.length === names.length && fields.length > 0 ? { parts, fields } : null
}

/** The filled pattern as the database computes it, to search and sort by; null without any value. */
export function patternText({ parts, fields }: TitlePattern): RawBuilder<unknown> {
  const texts = parts.map((part) =>
    typeof part === 'string' ? typed(part, 'text') : textRef(fields, part.attrName),
  )
  const bare = parts.filter((part) => typeof part === 'string').join('')
  return sql`nullif(btrim(concat(${sql.join(texts)})), ${typed(bare.trim(), 'text')})`
}

/** The parts for `shownPattern`. */
export function patternParts({ fields }: TitlePattern): RawBuilder<unknown> {
  const texts = fields.map(({ column }) => sql`${columnRef(column?.name ?? '')}::text`)
  const split = texts.map((text) => sql`${typed(separator, 'text')}, ${text}`)
  return sql`case when coalesce(${sql.join(texts)}) is not null then concat(${sql.join(split)}) end`
}

function textRef(fields: readonly LoadedField[], attrName: string): RawBuilder<unknown> {
  const field = fields.find(({ definition }) => definition.attrName === attrName)
  return sql`${columnRef(field?.column?.name ?? '')}::text`
}

/** Whether a name is that of a pattern's parts. */
export function isPatternParts(name: string): boolean {
  return name.startsWith(separator)
}

/** The filled pattern, each part opened and, unless `plain`, masked. */
export function shownPattern(
  { parts, fields }: TitlePattern,
  name: string,
  isPlain = false,
): string {
  const values = name.slice(separator.length).split(separator)
  if (values.length !== fields.length) return ''
  return fillTitle(parts, (attrName) => {
    const at = fields.findIndex(({ definition }) => definition.attrName === attrName)
    const field = fields[at]
    const opened = field?.sealer?.open(values[at] ?? '') ?? values[at] ?? ''
    const pii = field?.pii ?? null
    return pii === null || isPlain ? opened : maskPii(pii, opened)
  })
}
