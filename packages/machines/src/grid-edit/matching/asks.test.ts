import type { Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import type { Row } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { GridContext } from '../context.ts'
import { listKeyAsks } from './asks.ts'

function buildKeyField(draft: Omit<FieldDraft, 'id'>, more: Partial<Field> = {}): Field {
  const plain = v.parse(fieldDefinitionSchema, { id: `f-${draft.attrName}`, isList: 1, ...draft })
  return { ...plain, sortable: true, ...more }
}
const relation = { uiType: 'select', dictType: 1, isEdit: 2 } as const
const no = buildKeyField({ attrName: 'no', uiLabel: '学号', ...relation })
const student = buildKeyField({ attrName: 'student', uiLabel: '学生', isQuery: 1, ...relation })
const code = buildKeyField({ attrName: 'code', uiLabel: '编号', isQuery: 1 }, { unique: true })
const secret = buildKeyField(
  { attrName: 'card', uiLabel: '身份证号', isQuery: 1 },
  { unique: true, pii: 'idCard' },
)
const mark = buildKeyField({ attrName: 'mark', uiLabel: '成绩', uiType: 'inputNumber' })

const buildKeyRow = (id: string, other = id): Row => ({
  id,
  no: [{ id, name: `N${id}` }],
  student: [{ id: other, name: `S${id}` }],
})
function listAskedKeys(
  block: readonly (readonly string[])[],
  columns: readonly Field[],
  rows: readonly Row[],
) {
  const at = { row: 0, col: 0 }
  const context = {
    config: { fields: columns, idField: 'id', tagField: null },
    columns,
    blocks: { 0: rows },
    selection: { anchor: at, focus: at },
    mayEdit: true,
    mayAdd: false,
  }
  return listKeyAsks(context as unknown as GridContext, block)
}

test('texts of a unique column, as they stand and in half width, each once', () => {
  expect(
    listAskedKeys(
      [
        ['成绩', '编号'],
        ['7', 'Ａ１'],
        ['8', 'A1'],
        ['9', ''],
      ],
      [code, mark],
      [],
    ),
  ).toEqual([{ key: 'code', attrName: 'code', fieldId: null, texts: ['Ａ１', 'A1'] }])
  expect(listAskedKeys([['7', 'A1']], [code, mark], [])).toEqual([
    { key: 'code', attrName: 'code', fieldId: null, texts: ['7', 'A1'] },
  ])
})
test('personal data is not asked for', () => {
  expect(listAskedKeys([['身份证号'], ['11010120000101001X']], [secret], [])).toEqual([])
})
test('the records of a relation, by another field of the same records where lists filter by that one', () => {
  const block = [
    ['学号', '成绩'],
    ['N1', '7'],
  ]
  const columns = [no, student, mark]
  expect(listAskedKeys(block, columns, [buildKeyRow('1'), buildKeyRow('2')])).toEqual([
    { key: 'no', attrName: 'student', fieldId: 'f-no', texts: ['N1'] },
  ])
  expect(listAskedKeys(block, columns, [buildKeyRow('1'), buildKeyRow('2', '1')])).toEqual([])
  expect(listAskedKeys(block, columns, [])).toEqual([])
})
