// createTime and updateTime, by which every list filters and sorts where its table has the column
// (docs/rules/contract.md#lists). Roles narrow them by column, definitions do not.
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import { type ListTime, listTimes } from '@jiaowu/api/entity/list/list-query'
import { t } from '@jiaowu/api/texts/index'
import * as v from 'valibot'
import { type EntityAccess, isAllowed } from '../../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../../model/definition/loaded.ts'
import { familyOf } from '../../../model/fields/column.ts'
import { findServerField } from '../../../model/fields/index.ts'

const columns = { createTime: 'create_time', updateTime: 'update_time' } as const satisfies Record<
  ListTime,
  string
>
const timesOf = new WeakMap<LoadedEntity, ReadonlyMap<string, LoadedField>>()

/** The field that a list knows by this name. A definition may use the name for another column. */
export function listField(entity: LoadedEntity, attrName: string): LoadedField | undefined {
  const [own, time] = [entity.field(attrName), systemTimes(entity).get(attrName)]
  return time === undefined || (own !== undefined && own.column?.name !== time.column?.name)
    ? own
    : time
}

/** The times that lists of the caller filter and sort by. */
export function timesFor(access: EntityAccess): ListTime[] {
  return listTimes.filter((name) => {
    const field = systemTimes(access.entity).get(name)
    return (
      field !== undefined &&
      listField(access.entity, name) === field &&
      isAllowed(access, field, 'list')
    )
  })
}

/** A time by which lists of the caller filter and sort, as a column of exports. */
export function listTime(access: EntityAccess, attrName: string): LoadedField | undefined {
  return timesFor(access).some((name) => name === attrName)
    ? listField(access.entity, attrName)
    : undefined
}

function systemTimes(entity: LoadedEntity): ReadonlyMap<string, LoadedField> {
  const known = timesOf.get(entity)
  if (known !== undefined) return known
  const fields = new Map(
    listTimes.flatMap((name): [string, LoadedField][] => {
      const column = entity.table.columns.get(columns[name])
      const family = column === undefined ? undefined : familyOf(column)
      if (column === undefined || (family !== 'instant' && family !== 'timestamp')) return []
      const definition = v.parse(fieldDefinitionSchema, {
        id: '',
        attrName: name,
        uiLabel: t('zh-CN', `field.${name}`),
        options: { labelEn: t('en', `field.${name}`) },
        uiType: 'datetime',
        columnName: column.name,
        isList: 1,
        isQuery: 1,
        isExport: 1,
        queryType: 'between',
      })
      const storage = findServerField(definition.uiType)
      const kind = findKind(definition.uiType)
      return [[name, { definition, kind, storage, column, pii: null, sealer: null, reads: [] }]]
    }),
  )
  timesOf.set(entity, fields)
  return fields
}
