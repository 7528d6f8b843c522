import {
  entityDefinitionSchema,
  type EntrySheet,
  type FieldDraft,
} from '@jiaowu/api/entity/definition/definition'
import type { Draft } from '@jiaowu/machines/designer/draft'
import { checkEntity } from '@jiaowu/validation'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { entrySection, suggestedEntry } from './entry-section.ts'

const relation = { uiType: 'select', dictType: 1, dictValue: 'EDU_STUDENT.name' } as const
const listed = { isList: 1, isQuery: 1 } as const
const fields: FieldDraft[] = [
  { id: '1', attrName: 'id', uiLabel: '编号', isPk: 1 },
  { id: '2', attrName: 'student', uiLabel: '学生', ...relation, isList: 1 },
  { id: '3', attrName: 'course', uiLabel: '课程', ...relation, ...listed },
  { id: '4', attrName: 'term', uiLabel: '学期', ...relation, ...listed },
  { id: '5', attrName: 'score', uiLabel: '成绩', uiType: 'inputNumber', isList: 1 },
  { id: '6', attrName: 'grade', uiLabel: '绩点', uiType: 'inputNumber', isList: 1, derived: '1' },
  { id: '7', attrName: 'remark', uiLabel: '备注' },
]
function buildEntryDraft(entry?: EntrySheet): Draft {
  return v.parse(entityDefinitionSchema, {
    tag: 'EDU_MARK',
    name: '成绩',
    tableName: 'mark',
    tagField: 'student',
    fields,
    options: entry === undefined ? {} : { entry },
  })
}
const tools = {
  t: (key: string) => key,
  maySql: false,
  dictionaries: [],
  entities: [],
  attributes: [{ value: 'class', text: '班级' }],
}
function rowAt(entry: EntrySheet | undefined, path: string) {
  const row = entrySection({ draft: buildEntryDraft(entry), tools }).rows.find(
    (each) => each.path === path,
  )
  if (row === undefined) throw new Error(`no row ${path}`)
  return row.control
}
const listEntryFaults = (entry: EntrySheet) =>
  checkEntity(buildEntryDraft(entry)).flatMap(({ id, path }) =>
    id === 'entity.E045' ? [path] : [],
  )

const suggested: EntrySheet = {
  by: ['course', 'term'],
  frozen: ['student'],
  columns: ['score', 'grade'],
  progress: 'score',
}

describe('the entry sheet in the designer', () => {
  it('begins with the choices that lists filter by, the title and the other columns', () => {
    expect(suggestedEntry(buildEntryDraft())).toEqual(suggested)
    expect(listEntryFaults(suggested)).toEqual([])
    expect(rowAt(undefined, 'options.entry')).toMatchObject({ is: 'switch', value: false })
  })
  it('is switched off, and changed part by part', () => {
    const off = rowAt(suggested, 'options.entry')
    expect(off.is === 'switch' ? off.set(false) : null).toEqual({
      type: 'option.set',
      patch: { entry: undefined },
    })
    const by = rowAt(suggested, 'options.entry.by')
    expect(by.is === 'many' ? by.set(['term']) : null).toEqual({
      type: 'option.set',
      patch: { entry: { ...suggested, by: ['term'] } },
    })
    const add = rowAt(suggested, 'options.entry.add.field')
    expect(add.is === 'choice' ? add.set('student') : null).toMatchObject({
      patch: { entry: { add: { field: 'student', from: [] } } },
    })
    const named: EntrySheet = { ...suggested, name: '录入' }
    const name = rowAt(named, 'options.entry.name')
    expect(name.is === 'text' ? name.set(' ') : null).toEqual({
      type: 'option.set',
      patch: { entry: suggested },
    })
  })
  it('offers what is chosen now, even where it may not be', () => {
    const by = rowAt({ ...suggested, by: ['remark'] }, 'options.entry.by')
    expect(by.is === 'many' ? by.items.map(({ value }) => value) : []).toEqual([
      'course',
      'term',
      'remark',
    ])
    const from = rowAt(
      { ...suggested, add: { field: 'student', from: ['major'] } },
      'options.entry.add.from',
    )
    expect(from.is === 'many' ? from.items.map(({ value }) => value) : []).toEqual([
      'class',
      'major',
    ])
  })
  it.each([
    [{ by: ['remark'] }, 'options.entry.by'],
    [{ frozen: ['remark'] }, 'options.entry.frozen'],
    [{ columns: ['score', 'remark'] }, 'options.entry.columns'],
    [{ progress: 'grade' }, 'options.entry.progress'],
    [{ add: { field: 'course', from: ['class'] } }, 'options.entry.add.field'],
  ])('reports %j at its control', (wrong, path) => {
    const entry = { ...suggested, ...wrong }
    expect(listEntryFaults(entry)).toEqual([path])
    expect(rowAt(entry, path)).toBeDefined()
  })
})
