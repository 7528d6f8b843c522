import type { RelatedList } from '@jiaowu/api/contract/entity/search'
import type { Row } from '@jiaowu/api/entity/values'
import { paths } from '../paths.ts'

/** The address of a list whose rows name the record. */
export function buildRelatedPath({ tag, attrName, valueAttr }: RelatedList, row: Row): string {
  const stored = String((valueAttr === 'id' ? row.id : row[valueAttr]) ?? '')
  return `${paths.list(tag)}?${new URLSearchParams({ [attrName]: stored }).toString()}`
}
