// Columns of other programs that the server could keep: proposed, never assumed.
import type { FieldDraft, KeptFields } from '@jiaowu/api/entity/definition/definition'
import { isOwnColumn } from '../../model/definition/school-columns.ts'
import { type Column, familyOf } from '../../model/fields/column.ts'
import { readComment } from './choices.ts'
import type { InspectedColumn, InspectedTable } from './inspect.ts'

type Stamp = Exclude<keyof KeptFields, 'deleted'>

const stampNames: Readonly<Record<Stamp, RegExp>> = {
  createUser: /^(create_?by|create_?user|created_?by|creator|creator_id|create_user_id)$/i,
  createTime: /^(create_?time|created_?at|create_?date|created_?(date|on|time)|gmt_create)$/i,
  updateUser: /^(update_?by|update_?user|updated_?by|updater|updater_id|modified_?by)$/i,
  updateTime:
    /^(update_?time|updated_?at|update_?date|updated_?(date|on|time)|gmt_modified|modified_?(at|date|on|time)|last_updated?)$/i,
}
const flagName = /^(del_?flag|is_?del(eted)?|deleted|delete_?flag)$/i
const timeName = /^(deleted_?at|delete_?time|deleted_?(on|time))$/i

/** Characters of an account. */
const accountLength = 32

/** Null where no column looks like one of them. */
export function proposedKept(
  table: InspectedTable,
  fields: readonly FieldDraft[],
  isReadOnly: boolean,
): KeptFields | null {
  if (isReadOnly) return null
  const kept: { -readonly [K in keyof KeptFields]: KeptFields[K] } = {}
  for (const column of table.columns) {
    const field = fields.find(({ columnName }) => columnName === column.name)
    if (field === undefined || column.generated || isOurs(table, column)) continue
    const { attrName } = field
    const deleted = guessDeletionFlag(column)
    if (deleted !== null) kept.deleted ??= { attrName, ...deleted }
    for (const stamp of Object.keys(stampNames) as Stamp[])
      if (stampNames[stamp].test(column.name) && isStamp(column, stamp)) kept[stamp] ??= attrName
  }
  return Object.keys(kept).length === 0 ? null : kept
}

function isOurs({ schema }: InspectedTable, column: InspectedColumn): boolean {
  return (['create_user', 'create_time', 'update_user', 'update_time', 'deleted_at'] as const).some(
    (name) => name === column.name && isOwnColumn(schema, name, column),
  )
}

function isStamp(column: Column & { readonly length: number | null }, stamp: Stamp): boolean {
  const family = familyOf(column) ?? ''
  return stamp.endsWith('User')
    ? column.type === 'int8' ||
        (family === 'text' && (column.length ?? accountLength) >= accountLength)
    : ['timestamp', 'instant', 'date'].includes(family)
}

/** The values of a flag, by its type and what its comment says of them: `0代表存在 2代表删除`. */
function guessDeletionFlag(
  column: InspectedColumn,
): { readonly yes: string | null; readonly no: string | null } | null {
  const family = familyOf(column) ?? ''
  if (timeName.test(column.name))
    return ['timestamp', 'instant'].includes(family) && column.nullable
      ? { yes: null, no: null }
      : null
  if (!flagName.test(column.name)) return null
  if (family === 'boolean') return { yes: 'true', no: 'false' }
  if (family !== 'integer' && family !== 'text') return null
  const { choices } = readComment(column.comment)
  const yes = choices?.find(({ name }) => /(?<!未|不|没)(删|delete)/i.test(name))?.id
  const no = choices?.find(({ id }) => id !== yes)?.id
  return choices === null || choices.length !== 2 || yes === undefined || no === undefined
    ? { yes: '1', no: '0' }
    : { yes, no }
}
