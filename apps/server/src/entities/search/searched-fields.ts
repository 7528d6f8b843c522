// The columns that a search over all records compares: those that name a record and those that identify it.
import type { WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import type { EntityAccess } from '../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { isSchoolColumn } from '../../model/definition/school-columns.ts'
import { familyOf } from '../../model/fields/column.ts'
import { isQueryable } from '../read/query.ts'
import { titleFields } from '../read/titles.ts'

export interface SearchedFields {
  /** Texts that name a record, found by any part. */
  readonly names: readonly LoadedField[]
  /** Unique values, found by their beginning; personal data and numbers by the whole value. */
  readonly numbers: readonly LoadedField[]
}

/** The fields by which the caller may filter lists of the entity. */
export function listSearchedFields(access: EntityAccess): SearchedFields {
  const { entity } = access
  const isUsable = (field: LoadedField) =>
    field.column !== null &&
    field.kind.family !== 'choice' &&
    field !== entity.idField &&
    isQueryable(access, field)
  const numbers = entity.fields.filter((field) => isUnique(entity, field) && isUsable(field))
  const names = titleFields(entity).filter(
    (field) => isUsable(field) && isText(field) && field.pii === null && !numbers.includes(field),
  )
  return { names, numbers }
}

/** The conditions of which a record that is found holds one. */
export function buildSearchLeaves(
  { names, numbers }: SearchedFields,
  wanted: string,
): readonly WhereLeaf[] {
  return [
    ...numbers.flatMap((field) => buildNumberLeaf(field, wanted)),
    ...names.map(({ definition: { attrName } }) => ({
      column: attrName,
      op: 'like' as const,
      value: wanted,
    })),
  ]
}

/** No leaf where the column cannot hold the text. */
function buildNumberLeaf(field: LoadedField, wanted: string): WhereLeaf[] {
  const { attrName: column } = field.definition
  if (isText(field) && field.pii === null) return [{ column, op: 'rightLike', value: wanted }]
  if (isText(field)) return wanted.length < 8 ? [] : [{ column, op: 'equal', value: wanted }]
  return /^\d{1,15}$/.test(wanted) ? [{ column, op: 'equal', value: wanted }] : []
}

function isText({ column }: LoadedField): boolean {
  return column !== null && familyOf(column) === 'text'
}

/** Whether a unique index consists of the column, besides that of the school. */
function isUnique({ table }: LoadedEntity, { column }: LoadedField): boolean {
  if (column === null) return false
  const family = familyOf(column)
  if (family !== 'text' && family !== 'integer') return false
  return [...table.uniques.values()].some((names) => {
    const own = names.filter((name) => {
      const each = table.columns.get(name)
      return each === undefined || !isSchoolColumn(table.schema, each)
    })
    return own.length === 1 && own[0] === column.name
  })
}
