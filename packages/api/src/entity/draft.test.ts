import { expect, it } from 'vitest'
import { draftEntity, fieldNameOfColumn } from './draft.ts'
import type { TableColumn } from './table.ts'

function column(columnName: string, more: Partial<TableColumn> = {}): TableColumn {
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

it('renames fields with names of record metadata, except the key', () => {
  const drafted = draftEntity('book', '图书', [
    column('id', { columnKey: 'PRI', isKey: true, dataType: 'int8' }),
    column('tag'),
    column('ts'),
    column('book_no'),
  ])
  expect(drafted.fields.map(({ attrName }) => attrName)).toEqual([
    'id',
    'tagValue',
    'tsValue',
    'bookNo',
  ])
  expect(fieldNameOfColumn('version')).toBe('versionValue')
})
