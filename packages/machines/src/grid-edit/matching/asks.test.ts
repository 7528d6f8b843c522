import type { Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema, type FieldDraft } from '@jiaowu/api/entity/definition/definition'
import type { Row } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { GridContext } from '../context.ts'
import { asksOf } from './asks.ts'

function field(draft: Omit<FieldDraft, 'id'>, more: Partial<Field> = {}): Field {
  const plain = v.parse(fieldDefinitionSchema, { id: `f-${draft.attrName}`, isList: 1, ...draft })
  return { ...plain, sortable: true, ...more }
}
const relation = { uiType: 'select', dictType: 1, isEdit: 2 } as const
const no = field({ attrName: 'no', uiLabel: '学号', ...relation })
const student = field({ attrName: 'student', uiLabel: '学生', isQuery: 1, ...relation })
const code = field({ attrName: 'code', uiLabel: '编号', isQuery: 1 }, { unique: true })
const secret = field(
  { attrName: 'card', uiLabel: '身份证号', isQuery: 1 },
  { unique: true, pii: 'idCard' },
)
const mark = field({ attrName: 'mark', uiLabel: '成绩', uiType: 'inputNumber' })

const row = (id: string, other = id): Row => ({
  id,
  no: [{ id, name: `N${id}` }],
  student: [{ id: other, name: `S${id}` }],
})
function asked(
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
  return asksOf(context as unknown as GridContext, block)
}

test('texts of a unique column, as they stand and in half width, each once', () => {
  expect(
    asked(
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
  expect(asked([['7', 'A1']], [code, mark], [])).toEqual([
    { key: 'code', attrName: 'code', fieldId: null, texts: ['7', 'A1'] },
  ])
})
test('personal data is not asked for', () => {
  expect(asked([['身份证号'], ['11010120000101001X']], [secret], [])).toEqual([])
})
test('the records of a relation, by another field of the same records where lists filter by that one', () => {
  const block = [
    ['学号', '成绩'],
    ['N1', '7'],
  ]
  const columns = [no, student, mark]
  expect(asked(block, columns, [row('1'), row('2')])).toEqual([
    { key: 'no', attrName: 'student', fieldId: 'f-no', texts: ['N1'] },
  ])
  expect(asked(block, columns, [row('1'), row('2', '1')])).toEqual([])
  expect(asked(block, columns, [])).toEqual([])
})
