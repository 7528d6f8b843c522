// Derives a first definition of an entity from a table
// (docs/spec/2-student-service-and-designer.md §4, designer; docs/rules/contract.md#definitions).
import { attrNameOfColumn, uiTypeOfColumn } from '../../fields/derive.ts'
import { proposedPii } from '../../pii.ts'
import { t } from '../../texts/index.ts'
import type { FieldDraft } from './definition.ts'
import { dictTypes } from '../enums.ts'
import { soundsHashed, soundsSecret } from './secret-names.ts'
import type { TableColumn } from './table.ts'
import { isCarried } from '../values.ts'

/**
 * Types of columns that several fields can share, and whose name says nothing about the fields
 * (docs/spec/2-student-service-and-designer.md §4).
 */
const structured = new Set(['json', 'jsonb', 'clob', 'blob', 'bytea'])

export function mayRepeat({ dataType }: Pick<TableColumn, 'dataType'>): boolean {
  return structured.has(dataType.toLowerCase())
}

const stamps = ['create_user', 'create_time', 'update_user', 'update_time'] as const

/**
 * The attrName of a column. Names reserved for record metadata (`tag`, `ts`) get a suffix, because
 * values sent under them are not saved.
 */
export function fieldNameOfColumn(columnName: string, isKey = false): string {
  const name = attrNameOfColumn(columnName)
  return isCarried(name) && !isKey ? `${name}Value` : name
}

/**
 * A field for a column. The label comes from the column's comment, the attrName from its name
 * (empty for json types: the user has to choose one), the uiType from its type. `id` is a negative
 * temporary id.
 */
export function fieldOfColumn(
  tableName: string,
  column: TableColumn,
  id: string,
  uiSort: number,
): FieldDraft {
  const isText = ['varchar', 'bpchar', 'text'].includes(column.dataType)
  // Part of a key of several columns is a value that users enter.
  const isId = column.columnKey === 'PRI' && column.isKey
  const isServers = isStamp(column.columnName) || isId
  const uiType =
    column.dataType === 'bool' ? 'switch' : uiTypeOfColumn(column.dataType, column.dataLength)
  const uiLabel = column.columnComment === '' ? column.columnName : column.columnComment
  const attrName = mayRepeat(column) ? '' : fieldNameOfColumn(column.columnName, isId)
  const pii = isServers
    ? null
    : proposedPii({
        columnName: column.columnName,
        columnComment: column.columnComment,
        attrName,
        uiLabel,
        uiType,
      })
  const required = column.isNullable === 'NO' && !column.hasDefault && !isServers
  return {
    id,
    tableName,
    uiSort,
    columnName: column.columnName,
    columnType: column.columnType,
    columnComment: column.columnComment,
    attrName,
    uiLabel,
    uiType,
    ...(pii === null ? {} : { pii }),
    uiWidth: 50,
    isPk: isId ? 1 : 0,
    isNull: column.isNullable === 'YES' ? 1 : 0,
    isList: isId ? 0 : 1,
    isDetail: 1,
    isExport: 1,
    isQuery: 0,
    isAdd: isServers ? 0 : 1,
    isEdit: isServers ? 0 : 1,
    queryType: isText ? 'like' : 'equal',
    valids: { ...(required ? { required: true } : {}), ...(isText ? lengthRule(column) : {}) },
    ...draftStampField(column),
    ...draftSecretField(column, isText, required),
  }
}

function isStamp(name: string): name is (typeof stamps)[number] {
  return (stamps as readonly string[]).includes(name)
}

function lengthRule({ dataLength }: TableColumn): FieldDraft['valids'] {
  return dataLength === null ? {} : { maxChars: dataLength }
}

/**
 * A column that sounds like a secret is stored as typed and never shown. A password is not written
 * either, unless every row needs it: the program that owns the table may store it as a hash.
 */
function draftSecretField(
  column: TableColumn,
  isText: boolean,
  required: boolean,
): Partial<FieldDraft> {
  const { columnName, columnComment } = column
  if (!soundsSecret(columnName, columnComment)) return {}
  const isWritten = isText && (required || !soundsHashed(columnName, columnComment))
  return {
    ...(isText && {
      uiType: 'password' as const,
      valids: { ...(required && { required }), ...lengthRule(column) },
    }),
    isList: 0,
    isDetail: 0,
    isExport: 0,
    isQuery: 0,
    isAdd: isWritten ? 1 : 0,
    isEdit: isWritten ? 1 : 0,
  }
}

/**
 * Columns with the user and time of creation and update rarely have comments: give them labels,
 * show users by name, and list only the time of creation.
 */
function draftStampField({
  columnName,
  columnComment,
  dataType,
}: TableColumn): Partial<FieldDraft> {
  return !isStamp(columnName)
    ? {}
    : {
        ...(columnComment === ''
          ? {
              uiLabel: t('zh-CN', `design.${columnName}`),
              options: { labelEn: t('en', `design.${columnName}`) },
            }
          : {}),
        isList: columnName === 'create_time' ? 1 : 0,
        ...(columnName.endsWith('user') && dataType === 'int8'
          ? { uiType: 'select', dictType: dictTypes.entity, dictValue: 'SYS_USER.name' }
          : {}),
      }
}

/** The proposed tag of a table: `edu_book_loan` → `EDU_BOOK_LOAN`. */
export function tagOfTable(tableName: string): string {
  return tableName
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, '_')
    .replace(/^[^A-Z]+/, '')
}
