import type { RelatedList } from '@jiaowu/api/contract/entity/search'
import type { Row } from '@jiaowu/api/entity/values'
import { paths } from '../paths.ts'

/** The value that rows of the list store for the record. */
export function relatedValue({ valueAttr }: RelatedList, row: Row): string {
  return String((valueAttr === 'id' ? row.id : row[valueAttr]) ?? '')
}

/** The address of a list whose rows name the record. */
export function buildRelatedPath(list: RelatedList, row: Row): string {
  const query = new URLSearchParams({ [list.attrName]: relatedValue(list, row) })
  return `${paths.list(list.tag)}?${query.toString()}`
}
