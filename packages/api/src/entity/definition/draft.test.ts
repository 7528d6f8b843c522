import { expect, it } from 'vitest'
import { fieldNameOfColumn, fieldOfColumn } from './draft.ts'
import { soundsSecret } from './secret-names.ts'
import type { TableColumn } from './table.ts'

function buildTableColumn(columnName: string, more: Partial<TableColumn> = {}): TableColumn {
  return {
    columnName,
    columnComment: '',
    columnKey: '',
    isKey: false,
    columnType: 'varchar(20)',
    dataType: 'varchar',
    dataLength: 20,
    isNullable: 'YES',
    hasDefault: false,
    ...more,
  }
}

const fields = (columns: readonly TableColumn[]) =>
  columns.map((each, i) => fieldOfColumn('book', each, String(-i - 1), i + 1))

it('renames fields with names of record metadata, except the key', () => {
  const drafted = fields([
    buildTableColumn('id', { columnKey: 'PRI', isKey: true, dataType: 'int8' }),
    buildTableColumn('tag'),
    buildTableColumn('ts'),
    buildTableColumn('book_no'),
  ])
  expect(drafted.map(({ attrName }) => attrName)).toEqual(['id', 'tagValue', 'tsValue', 'bookNo'])
  expect(fieldNameOfColumn('version')).toBe('versionValue')
})

it('drafts secrets as written and never shown, and passwords of other programs as neither', () => {
  const drafted = fields([
    buildTableColumn('name'),
    buildTableColumn('api_token', { dataLength: 20 }),
    buildTableColumn('door_password', { dataLength: 200 }),
    buildTableColumn('door_password', { isNullable: 'NO' }),
    buildTableColumn('note', { columnComment: '登录口令' }),
    buildTableColumn('pin', { columnComment: 'token of the card', dataType: 'int4' }),
  ])
  const shown = ({ isList, isDetail, isExport, isQuery }: (typeof drafted)[number]) =>
    [isList, isDetail, isExport, isQuery].includes(1)
  expect(drafted.map((field) => [field.uiType, shown(field), field.isAdd])).toEqual([
    ['input', true, 1],
    ['password', false, 1],
    ['password', false, 0],
    // No row can do without it.
    ['password', false, 1],
    ['password', false, 0],
    ['inputNumber', false, 0],
  ])
})

it('knows the names of secrets from those that only resemble them, and from facts about them', () => {
  for (const name of ['password', 'user_pwd', 'loginPasswd', 'api_token', 'salt', 'client_secret'])
    expect(soundsSecret(name, null), name).toBe(true)
  for (const name of [
    'passed',
    'passenger',
    'hashtag',
    'salty',
    'compass',
    'token_type',
    'secretName',
  ])
    expect(soundsSecret(name, null), name).toBe(false)
})
