import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../model/context.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { definition, type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { refused } from '../../../testing/refused.ts'

let fixture: Fixture
let context: Context
beforeAll(async () => {
  fixture = await openFixture()
  context = fixture.context()
})
afterAll(async () => {
  await fixture.close()
})

function loadTestConfig(tag: string, as = context) {
  return Promise.resolve(
    entityDataHandlers.config({ params: { tag }, query: undefined, body: undefined }, as),
  )
}

describe('config', () => {
  it('contains no names of tables or columns and no SQL', async () => {
    await fixture.define(
      definition(
        'T_SECRETIVE',
        't_sample',
        [
          {
            id: '700',
            attrName: 'name',
            uiLabel: '名',
            columnName: 'name',
            tableName: 't_sample',
            columnType: 'varchar',
            columnComment: 'inner',
            comments: 'inner',
            uiType: 'select',
            dictType: 2,
            dictValue: 'select secret from inner_table',
          },
          {
            id: '701',
            attrName: 'createTime',
            uiLabel: '创建',
            columnName: 'create_time',
            uiType: 'datetime',
            isDetail: 1,
          },
        ],
        {
          buttons: [
            {
              code: 'run',
              name: '运行',
              nameEn: 'Run',
              position: 1,
              eventType: 2,
              eventContent: 'delete from inner_table',
            },
            { code: 'off', name: '停', position: 1, status: 0 },
            {
              code: 'go',
              name: '去',
              position: 2,
              positionExp: "row.name == '1'",
              eventContent: [{ do: 'refresh' }],
            },
          ],
        },
      ),
    )
    const found = await loadTestConfig('T_SECRETIVE', fixture.context({}, 'en'))
    expect(JSON.stringify(found)).not.toMatch(/inner|t_sample|varchar|columnName/)
    expect(found.buttons.map(({ code, name, eventContent }) => [code, name, eventContent])).toEqual(
      [
        ['run', 'Run', null],
        ['go', '去', [{ do: 'refresh' }]],
      ],
    )
    expect(found.fields.map(({ attrName, isAdd, isEdit }) => [attrName, isAdd, isEdit])).toEqual([
      ['name', 1, 1],
      ['createTime', 2, 2],
    ])
    expect(
      await refused(
        Promise.resolve(
          entityDataHandlers.lookup(
            {
              params: { tag: 'T_SECRETIVE' },
              query: undefined,
              body: { fieldId: '700', pageNum: 1, pageSize: 10 },
            },
            context,
          ),
        ),
      ),
    ).toBe(422)
  })
  it('is in the requested language, including dictionaries', async () => {
    const [zh, en] = [
      await loadTestConfig('T_SAMPLE'),
      await loadTestConfig('T_SAMPLE', fixture.context({}, 'en')),
    ]
    const field = (from: typeof zh, attrName: string) =>
      from.fields.find((each) => each.attrName === attrName)
    expect([zh.name, en.name, field(zh, 'name')?.uiLabel, field(en, 'name')?.uiLabel]).toEqual([
      'T_SAMPLE',
      'Sample',
      '名称',
      'Name',
    ])
    expect([
      field(zh, 'kind')?.dictData,
      field(en, 'kind')?.dictData?.map(({ name }) => name),
    ]).toEqual([
      [
        { id: '1', name: '甲', pid: '0' },
        { id: '2', name: '乙', pid: '0' },
        { id: '3', name: '丙', pid: '0' },
      ],
      ['First', 'Second', 'Third'],
    ])
    expect([
      field(zh, 'name')?.sortable,
      field(zh, 'tags')?.sortable,
      field(zh, 'nick')?.sortable,
      field(zh, 'photo')?.isQuery,
    ]).toEqual([true, false, false, 0])
    expect(zh.permissions).toEqual(
      ['view', 'add', 'update', 'delete', 'export'].map((action) => `entity:T_SAMPLE:${action}`),
    )
  })
})
