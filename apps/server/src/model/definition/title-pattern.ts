// The title of an entity as a pattern of several fields. Every field keeps its own rights and mask: the
// parts travel apart until each has been opened and masked.
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityOptions, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { type TitlePart, titleParts } from '@jiaowu/api/entity/title'
import type { LoadedField } from './loaded.ts'

export interface TitlePattern {
  readonly parts: readonly TitlePart[]
  /** The fields of the pattern in order, each with a column. */
  readonly fields: readonly LoadedField[]
}

interface Titled {
  readonly definition: { readonly options: Pick<EntityOptions, 'titlePattern' | 'subtitlePattern'> }
  readonly field: (attrName: string) => LoadedField | undefined
}

/** Null without a pattern, or where one of its fields cannot be shown as text. */
export function parseTitlePattern({ definition: { options }, field }: Titled): TitlePattern | null {
  return parsePattern(options.titlePattern, field)
}

/** The second line of a choice; null without one. */
export function parseSubtitlePattern({
  definition: { options },
  field,
}: Titled): TitlePattern | null {
  return parsePattern(options.subtitlePattern, field)
}

function parsePattern(pattern: string | undefined, field: Titled['field']): TitlePattern | null {
  if (pattern === undefined) return null
  const parts = titleParts(pattern)
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.attrName]))
  const fields = names.flatMap((name) => field(name) ?? [])
  const isUsable = fields.every(hasText)
  return isUsable && fields.length === names.length && fields.length > 0 ? { parts, fields } : null
}

/** Whether a value of the field is one text: of its column, its record, or its dictionary. */
function hasText({ column, kind, definition }: LoadedField): boolean {
  if (column === null || kind.secret || kind.multiple) return false
  return kind.family !== 'choice' || namesChoice(definition)
}

function namesChoice({ dictType, dictValue }: FieldDefinition): boolean {
  return dictValue !== null && (dictType === dictTypes.entity || dictType === dictTypes.dictionary)
}
