import type { Button } from '@jiaowu/api/entity/definition/button'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fillTitle, titleParts } from '@jiaowu/api/entity/title'
import type { Locale } from '@jiaowu/api/locale'
import { type Message, t } from '@jiaowu/api/texts/index'
import type { Row } from '@jiaowu/api/entity/values'
import { findKind } from '@jiaowu/api/fields/kinds'
import { valueText } from '@jiaowu/api/fields/money'
import { declaredActions } from './actions.ts'
import { fillSentence } from './placeholders.ts'

type Titled = Pick<EntityConfig, 'tag' | 'fields' | 'tagField' | 'titlePattern'>

/**
 * Builds the question that a button asks before it acts; null: nothing. A definition's own question
 * has its placeholders filled; a button that changes or deletes a record without one is asked about
 * with the record's name and what will change.
 */
export function pressQuestion(
  button: Button,
  row: Row | null,
  config: Titled | null,
): string | Message | null {
  const own = (button.confirm ?? '').trim()
  if (own !== '') return fillSentence(own, row)
  const changes = declaredActions(button).filter(
    (action) => action.do === 'request' && action.method !== 'create',
  )
  const [first] = changes
  if (first === undefined || first.do !== 'request') return null
  const name = row === null ? '' : recordName(row, config)
  if (first.method === 'remove')
    return { key: 'press.askDelete', params: { button: button.name, name } }
  const { fields } = config !== null && first.tag === config.tag ? config : { fields: [] }
  const [zh, en] = (['zh-CN', 'en'] as const).map((locale) =>
    changeText(first.values ?? {}, fields, locale),
  )
  const consequence = zh === en ? (zh ?? '') : ([zh ?? '', en ?? ''] as const)
  return consequence === ''
    ? { key: 'press.ask', params: { button: button.name, name } }
    : { key: 'press.askChange', params: { button: button.name, name, consequence } }
}

/** The name of a record where a pattern gives one: in titles of forms and details. */
export function patternName(row: Row | null, config: Omit<Titled, 'tag'> | null): string | null {
  if (row === null || (config?.titlePattern === undefined && sentTitle(row) === '')) return null
  const name = recordName(row, config)
  return name === row.id ? null : name
}

/** The name of a record to users: its title as the server sent it, else of what the row holds. */
export function recordName(row: Row, config: Omit<Titled, 'tag'> | null): string {
  const sent = sentTitle(row)
  if (sent !== '') return sent
  const textOf = (name: string) => {
    const field = config?.fields.find(({ attrName }) => attrName === name)
    return field === undefined ? '' : valueText(field, row[name])
  }
  const parts = titleParts(config?.titlePattern ?? '')
  // A row without a title has only its columns: the field alone names it where a part is missing.
  const isWhole = parts.every(
    (part) => typeof part === 'string' || row[part.attrName] !== undefined,
  )
  const text = (isWhole ? fillTitle(parts, textOf) : '') || textOf(config?.tagField ?? '')
  return text === '' ? row.id : text
}

function sentTitle({ $title }: Row): string {
  return typeof $title === 'string' ? $title : ''
}

/** `学籍状态 → 休学`, for the fields that the reader knows. */
function changeText(
  values: Readonly<Record<string, string | number | null>>,
  fields: readonly Field[],
  locale: Locale,
): string {
  return Object.entries(values)
    .flatMap(([attrName, value]) => {
      const field = fields.find((each) => each.attrName === attrName)
      if (field === undefined || String(value).includes('{')) return []
      const name =
        findKind(field.uiType).family === 'flag'
          ? t(locale, String(value) === '1' ? 'common.yes' : 'common.no')
          : field.dictData?.find(({ id }) => id === String(value))?.name
      return [`${field.uiLabel} → ${name ?? value ?? '—'}`]
    })
    .join('、')
}
