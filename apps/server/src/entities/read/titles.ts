// The title of a row, which names it in questions, messages, previews and job reports: `$title` on the wire.
import { cutText } from '@jiaowu/api/cut-text'
import { fillTitle } from '@jiaowu/api/entity/title'
import type { Row } from '@jiaowu/api/entity/values'
import type { Context } from '../../model/context.ts'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { parseSubtitlePattern, parseTitlePattern } from '../../model/definition/title-pattern.ts'
import { shownText } from '../sheets/cells.ts'

const maxLength = 200

/** The fields that name a row. */
export function titleFields(entity: LoadedEntity): LoadedField[] {
  const { tagField } = entity.definition
  const named = tagField === null ? undefined : entity.field(tagField)
  return [
    ...new Set([
      ...(parseTitlePattern(entity)?.fields ?? []),
      ...(named === undefined ? [] : [named]),
    ]),
  ]
}

/** Keeps the fields of a pattern that the caller may read: each part keeps its rights. */
export function readableTitleFields(access: EntityAccess): LoadedField[] {
  const { fields = [] } = parseTitlePattern(access.entity) ?? {}
  return fields.filter((field) => isAllowed(access, field, 'detail'))
}

/**
 * The name of a labelled and masked row; its id where nothing names it. A field that is not in the row is
 * left out.
 */
export function rowTitle(context: Pick<Context, 'locale'>, access: EntityAccess, row: Row): string {
  const isReadable = (field: LoadedField) => isAllowed(access, field, 'detail')
  return filledTitle(context, access.entity, row, isReadable) ?? row.id
}

function filledTitle(
  { locale }: Pick<Context, 'locale'>,
  entity: LoadedEntity,
  row: Row,
  isReadable: (field: LoadedField) => boolean = () => true,
): string | null {
  const textOf = (attrName: string) => {
    const field = entity.field(attrName)
    return field === undefined || !isReadable(field)
      ? ''
      : (shownText(field, row[attrName], locale) ?? '')
  }
  const { tagField } = entity.definition
  const name = fillTitle(parseTitlePattern(entity)?.parts ?? [], textOf) || textOf(tagField ?? '')
  return name === '' ? null : cutText(name, maxLength)
}

/** The second line of a choice, of the fields that the caller may read; empty without one. */
export function fillSubtitle(
  { locale }: Pick<Context, 'locale'>,
  access: EntityAccess,
  row: Row,
): string {
  return cutText(
    fillTitle(parseSubtitlePattern(access.entity)?.parts ?? [], (attrName) => {
      const field = access.entity.field(attrName)
      return field === undefined || !isAllowed(access, field, 'detail')
        ? ''
        : (shownText(field, row[attrName], locale) ?? '')
    }),
    maxLength,
  )
}

/** The rows with their titles, where the entity has a pattern; without the fields that only served it. */
export function withTitles(
  context: Pick<Context, 'locale'>,
  entity: LoadedEntity,
  rows: readonly Row[],
  shown?: readonly LoadedField[],
): Row[] {
  if (parseTitlePattern(entity) === null) return [...rows]
  const extra = new Set(
    shown === undefined
      ? []
      : titleFields(entity)
          .filter((field) => !shown.includes(field))
          .map(({ definition }) => definition.attrName)
          // Every row has them, whatever its fields are called.
          .filter((name) => name !== 'id' && name !== 'version'),
  )
  return rows.map((row): Row => {
    const title = filledTitle(context, entity, row)
    const own =
      extra.size === 0
        ? row
        : (Object.fromEntries(Object.entries(row).filter(([name]) => !extra.has(name))) as Row)
    return title === null ? own : { ...own, $title: title }
  })
}
