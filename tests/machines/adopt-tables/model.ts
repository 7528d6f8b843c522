import {
  entityDefinitionSchema,
  fieldDefinitionSchema,
} from '@jiaowu/api/entity/definition/definition'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import { adoptTablesMachine } from '@jiaowu/machines/adopt-tables/machine'
import * as v from 'valibot'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { adoptTablesRules } from './rules.ts'
import { answerFailure } from '../problems.ts'

type Draft = TableDrafts['drafts'][number]

export interface AdoptTablesSeen {
  readonly at: string
  readonly tables: string
  readonly left: string
  readonly names: string
  readonly keeps: boolean
  readonly owns: boolean
  readonly relates: boolean
  readonly writes: boolean
  readonly done: number
  readonly problem: string | null
  readonly offers: string
}
const nothing: AdoptTablesSeen = {
  at: '',
  tables: '',
  left: '',
  names: '',
  keeps: false,
  owns: false,
  relates: false,
  writes: false,
  done: 0,
  problem: null,
  offers: '',
}
const offered = ['adopt.retry', 'adopt.save', 'adopt.leave'] as const

const password = v.parse(fieldDefinitionSchema, {
  id: '5',
  attrName: 'password',
  uiLabel: 'Password',
  columnName: 'password',
  uiType: 'password',
})

export const city = buildAdoptDraft('CITY', 'city', [])
export const customer = buildAdoptDraft('CUSTOMER', 'customer', [
  {
    id: '2',
    attrName: 'city',
    uiLabel: 'City',
    columnName: 'city_id',
    columnType: 'integer',
    uiType: 'select',
    queryType: 'in',
    dictType: 1,
    dictValue: 'CITY.name',
  },
  {
    id: '3',
    attrName: 'createTime',
    uiLabel: 'Made',
    columnName: 'create_time',
    uiType: 'datetime',
  },
  { id: '4', attrName: 'tenantId', uiLabel: 'Tenant', columnName: 'tenant_id' },
  { id: '6', attrName: 'dept', uiLabel: 'Dept', columnName: 'dept_id' },
])

function buildAdoptDraft(tag: string, name: string, fields: readonly object[]): Draft {
  const definition = v.parse(entityDefinitionSchema, {
    tag,
    name,
    tableName: name,
    schemaName: 'shop',
    fields: [{ id: '1', attrName: 'id', uiLabel: 'ID', columnName: 'id' }, ...fields],
  })
  return {
    schema: 'shop',
    name,
    kind: 'table',
    rows: 3,
    key: ['id'],
    readOnly: false,
    leftOut: [],
    notes: [],
    kept: fields.length === 0 ? null : { createTime: 'createTime' },
    school: fields.length === 0 ? null : { attrName: 'tenantId', rows: 2 },
    passwords: fields.length === 0 ? [] : [password],
    links:
      fields.length === 0
        ? null
        : {
            parentField: null,
            fields: definition.fields.map((field) =>
              field.attrName === 'dept'
                ? {
                    ...field,
                    uiType: 'select' as const,
                    dictType: 1 as const,
                    dictValue: 'DEPT.name',
                  }
                : field,
            ),
          },
    definition,
  }
}

const adoptTablesModel = modelSpec({
  machine: adoptTablesMachine,
  input: () => ({ batch: 1 }),
  events: {
    'adopt.retry': bare,
    'table.choose': {
      out: { tags: ['CITY'], isChosen: false },
      none: { tags: ['CITY', 'CUSTOMER'], isChosen: false },
      all: { tags: ['CITY', 'CUSTOMER'], isChosen: true },
      unknown: { tags: ['NOTHING'], isChosen: false },
    },
    'table.rename': {
      city: { tag: 'CITY', name: '城市' },
      unknown: { tag: 'NOTHING', name: '无' },
    },
    'kept.choose': { yes: { keeps: true }, no: { keeps: false } },
    'school.choose': { yes: { owns: true }, no: { owns: false } },
    'links.choose': { yes: { relates: true }, no: { relates: false } },
    'passwords.choose': { yes: { writes: true }, no: { writes: false } },
    'adopt.save': bare,
    'adopt.leave': bare,
  },
  outcomes: {
    tables: {
      two: { ok: true, output: ['shop.city', 'shop.customer'] },
      none: { ok: true, output: [] },
      forbidden: answerFailure(403),
    },
    draft: ({ tables }) => ({
      drafted: {
        ok: true,
        output: {
          drafts: [city, customer].filter(({ schema, name }) =>
            tables.includes(`${schema}.${name}`),
          ),
          refused: [],
        },
      },
      // Both tables have drafts, or the second has none: each question is about the second.
      ...(tables.includes('shop.customer') && {
        unusable: {
          ok: true as const,
          output: {
            drafts: [],
            refused: [{ schema: 'shop', name: 'customer', reason: '表中没有可以使用的列' }],
          },
        },
      }),
      failed: answerFailure(500),
    }),
    adopt: ({ definitions }) => ({
      saved: { ok: true, output: 2 },
      // Refused where a table stays out, which is to stay so.
      ...(definitions.length === 1 && {
        wrong: answerFailure(42200, {
          issues: [{ path: 'definitions.CITY.tag', rule: 'entity.E001', msg: '保留字' }],
        }),
      }),
    }),
  },
  unhandled: 'all',
  // How the dialog was left makes no difference afterwards.
  key: (s) =>
    s.status === 'done'
      ? JSON.stringify(s.value)
      : JSON.stringify([
          s.value,
          s.context.drafts.map(({ name }) => name),
          [...s.context.left].sort(),
          s.context.names,
          s.context.keeps,
          s.context.owns,
          s.context.relates,
          s.context.writesPasswords,
          s.context.tables.length,
          s.context.done,
          s.context.refused.map(({ name }) => name),
          s.context.problem?.code ?? null,
        ]),
  project: (s): AdoptTablesSeen =>
    s.status === 'done'
      ? { ...nothing, at: JSON.stringify(s.value) }
      : {
          at: JSON.stringify(s.value),
          tables: s.context.drafts.map(({ definition }) => definition.tag).join(),
          left: [...s.context.left].sort().join(),
          names: JSON.stringify(s.context.names),
          keeps: s.context.keeps,
          owns: s.context.owns,
          relates: s.context.relates,
          writes: s.context.writesPasswords,
          done: s.context.done,
          problem: s.context.problem === null ? null : String(s.context.problem.code),
          offers: offered.filter((type) => s.can({ type })).join(),
        },
})

export const adoptTablesModels: MachineModel<AdoptTablesSeen> = {
  parts: { adoptTables: adoptTablesModel },
  rules: adoptTablesRules,
}
