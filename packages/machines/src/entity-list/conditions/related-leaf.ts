// Conditions on the rows of other entities that name a row: none of them, or at least so many.
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { RelatedList } from '@jiaowu/api/contract/entity/search'
import { relatedMark, type Where, type WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import { cutText } from '@jiaowu/api/cut-text'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { shownLeaves } from './shown-conditions.ts'

/** Characters of a condition in words. */
const mostName = 200

export const relatedColumn = ({ tag, attrName }: Pick<RelatedList, 'tag' | 'attrName'>): string =>
  `${relatedMark}${tag}.${attrName}`

/** The related list of a condition. */
export function findRelatedList(
  lists: readonly RelatedList[],
  column: string,
): RelatedList | undefined {
  return lists.find((list) => relatedColumn(list) === column)
}

/** The least number of related rows; 0: there is none. */
export function readLeastRelated({ op, value }: WhereLeaf): number {
  return op === 'ge' ? Number(value) || 1 : 0
}

/** @param config the definition of the related rows, which words their conditions; null: none is set up */
export function buildRelatedLeaf(
  list: RelatedList,
  least: number,
  { where, config }: { readonly where: Where | null; readonly config: EntityConfig | null },
  locale: Locale,
): WhereLeaf {
  const words =
    where === null || config === null
      ? []
      : shownLeaves(config, where, [], locale).map(({ label, text }) => `${label} ${text}`.trim())
  const said =
    least === 0
      ? t(locale, 'filter.relatedNone', { name: list.name })
      : t(locale, 'filter.relatedLeast', { name: list.name, n: least })
  const name = words.length === 0 ? said : `${said}（${words.join('，')}）`
  return {
    column: relatedColumn(list),
    ...(least === 0 ? { op: 'lt', value: 1 } : { op: 'ge', value: least }),
    ...(where === null ? {} : { where }),
    name: cutText(name, mostName),
  }
}
