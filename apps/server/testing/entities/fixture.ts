// Tables and definitions for tests of entities: one entity with every field kind, a tree, and a child
// with a cascade.
import { beforeCommit } from '../../src/platform/database/transact.ts'
import { createKeys } from '../../src/platform/keys/keys.ts'
import { createAuditKeys } from '../../src/platform/audit/keys.ts'
import {
  type EntityDraft,
  entityDefinitionSchema,
  type FieldDraft,
} from '@jiaowu/api/entity/definition/definition'
import { createMemory } from '../../src/platform/memory.ts'
import type { Locale } from '@jiaowu/api/locale'
import { type QueryOperator, uiTypes } from '@jiaowu/api/entity/enums'
import type { RoleEntityRule } from '@jiaowu/api/entity/role'
import { ExpressionError } from '@jiaowu/validation'
import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import * as v from 'valibot'
import type { Context } from '../../src/model/context.ts'
import { type AuditEvent, noRequest, type Subject } from '../../src/platform/context.ts'
import { type Granted, readGranted } from '../../src/identity/granted.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import type { Database } from '../../src/platform/database/open-database.ts'
import { testDatabase } from '../database/database.ts'
import type { LoadedEntity } from '../../src/model/definition/loaded.ts'
import { ruleOfTable, type TableRule } from '../../src/access/rules/rule-columns.ts'
import { ruleTargets, type TargetOf } from '../../src/access/rules/rule-targets.ts'
import { createRegistry } from '../../src/model/definition/registry/registry.ts'
import type { EntityRegistry } from '../../src/model/definition/registry/entity-registry.ts'
import { databaseOf } from '../../src/platform/database/any-database.ts'

export const tenant = '10000'
export const otherTenant = '10001'

const standardColumns = `id bigint primary key, tenant_id bigint not null, org_id bigint,
  create_user bigint, create_time timestamptz not null default now(),
  update_user bigint, update_time timestamptz not null default now(),
  version integer not null default 1, deleted_at timestamptz`

const tables = [
  'create schema if not exists biz',
  `create table biz.t_dept (${standardColumns}, pid bigint, name varchar(40) not null, secret varchar(40))`,
  `create table biz.t_team (${standardColumns}, name varchar(40) not null, dept_id bigint references biz.t_dept(id))`,
  `create table biz.t_sample (${standardColumns}, code varchar(20), name varchar(20), memo text,
    pass text, amount numeric(10,2), quantity integer, big bigint, ratio double precision,
    kind varchar(10), dept_id bigint, team_id bigint, tags text[], marks text, numbers bigint[],
    choices jsonb, gender varchar(10), active char(1), ready boolean, born date, moment timestamp,
    seen_at timestamptz, grade_year varchar(4), founded integer, wake time, stars numeric(2,1),
    branch bigint, branches text[], photo jsonb, html text)`,
  `create unique index t_sample_code on biz.t_sample (tenant_id, code) where deleted_at is null`,
  `create table biz.t_plain (id serial primary key, name text not null, note text default 'none')`,
]

/** Every uiType over every suitable family of columns. */
export const sampleFields: readonly FieldDraft[] = [
  field('100', 'id', { uiLabel: 'ID', isPk: 1, isAdd: 0, isEdit: 0, uiType: 'input', isExport: 0 }),
  field('101', 'code', { uiLabel: '编号' }),
  field('102', 'name', {
    uiLabel: '名称',
    options: { labelEn: 'Name' },
    valids: { maxLength: 12 },
  }),
  field('103', 'memo', { uiType: 'textarea' }),
  field('104', 'pass', { uiType: 'password', isList: 1 }),
  field('105', 'amount', { uiType: 'inputNumber', options: { precision: 2 } }),
  field('106', 'quantity', { uiType: 'inputNumber' }),
  field('107', 'big', { uiType: 'inputNumber' }),
  field('108', 'ratio', { uiType: 'inputNumber' }),
  field('109', 'kind', { uiType: 'select', dictType: 0, dictValue: 't_kind' }),
  field('110', 'deptId', { uiType: 'select', dictType: 1, dictValue: 'T_DEPT.name' }),
  field('111', 'teamId', {
    uiType: 'select',
    dictType: 1,
    dictValue: 'T_TEAM.name',
    options: { cascades: [{ attrName: 'deptId', filterAttr: 'deptId' }] },
  }),
  field('112', 'tags', { uiType: 'multiSelect', dictType: 0, dictValue: 't_kind' }),
  field('113', 'marks', { uiType: 'checkbox', dictType: 0, dictValue: 't_kind' }),
  field('114', 'numbers', { uiType: 'multiSelect' }),
  field('115', 'choices', { uiType: 'checkbox', dictType: 0, dictValue: 't_kind' }),
  field('116', 'gender', { uiType: 'radio', dictType: 0, dictValue: 't_kind' }),
  field('117', 'active', { uiType: 'switch' }),
  field('118', 'ready', { uiType: 'switch' }),
  field('119', 'born', { uiType: 'date' }),
  field('120', 'moment', { uiType: 'datetime' }),
  field('121', 'seenAt', { uiType: 'datetime' }),
  field('122', 'gradeYear', { uiType: 'year' }),
  field('123', 'founded', { uiType: 'year' }),
  field('124', 'wake', { uiType: 'time' }),
  field('125', 'stars', { uiType: 'rate' }),
  field('126', 'branch', { uiType: 'selectTree', dictType: 1, dictValue: 'T_DEPT.name' }),
  field('127', 'branches', { uiType: 'multiSelectTree', dictType: 1, dictValue: 'T_DEPT.name' }),
  field('128', 'photo', { uiType: 'uploadImg' }),
  field('129', 'html', { uiType: 'richTextEditor' }),
  { id: '130', attrName: 'section', uiLabel: '分组', uiType: 'group' },
  { id: '131', attrName: 'line', uiLabel: '分隔', uiType: 'separate' },
  custom('132', 'nick', { uiLabel: '昵称' }),
  custom('133', 'score', { uiType: 'inputNumber' }),
  custom('134', 'likes', { uiType: 'multiSelect', dictType: 0, dictValue: 't_kind' }),
]

function field(id: string, attrName: string, more: Partial<FieldDraft> = {}): FieldDraft {
  return {
    id,
    attrName,
    uiLabel: attrName,
    columnName: attrName.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
    isList: 1,
    isQuery: 1,
    isDetail: 1,
    isExport: 1,
    ...more,
  }
}

function custom(id: string, attrName: string, more: Partial<FieldDraft> = {}): FieldDraft {
  return {
    ...field(id, attrName, more),
    columnName: null,
  }
}

export function definition(
  tag: string,
  tableName: string,
  fields: readonly FieldDraft[],
  more: Partial<EntityDraft> = {},
): EntityDraft {
  return {
    tag,
    name: tag,
    schemaName: 'biz',
    tableName,
    idField: 'id',
    tagField: 'name',
    fields: [...fields],
    ...more,
  }
}

export const operators: readonly QueryOperator[] = [
  'equal',
  'notEqual',
  'gt',
  'ge',
  'lt',
  'le',
  'in',
  'multiContains',
  'between',
  'like',
  'leftLike',
  'rightLike',
]

const definitions: readonly EntityDraft[] = [
  definition('T_SAMPLE', 't_sample', sampleFields, { nameEn: 'Sample' }),
  definition(
    'T_DEPT',
    't_dept',
    [
      field('200', 'id', { isAdd: 0, isEdit: 0 }),
      field('201', 'name', { valids: { required: true } }),
      field('202', 'pid', { uiType: 'selectTree', dictType: 1, dictValue: 'T_DEPT.name' }),
      field('203', 'secret'),
    ],
    { parentField: 'pid', nameEn: 'Department' },
  ),
  definition('T_TEAM', 't_team', [
    field('300', 'id', { isAdd: 0, isEdit: 0 }),
    field('301', 'name'),
    field('302', 'deptId', { uiType: 'select', dictType: 1, dictValue: 'T_DEPT.name' }),
  ]),
  definition('T_PLAIN', 't_plain', [
    field('400', 'id', { isAdd: 0, isEdit: 0 }),
    field('401', 'name'),
    field('402', 'note'),
  ]),
  ...operators.map(withOperator),
]

function withOperator(operator: QueryOperator): EntityDraft {
  return definition(
    `T_OP_${operator}`,
    't_sample',
    sampleFields.map((each) => ({ ...each, id: `${operator}${each.id}`, queryType: operator })),
  )
}

interface FixtureRule {
  readonly tag: string
  readonly scope?: 'all' | 'own' | 'org' | 'org_tree' | 'expression'
  readonly expression?: string | null
  readonly overrides?: Record<string, Record<string, number>>
}

export interface Fixture {
  readonly database: Database
  readonly registry: EntityRegistry
  readonly audited: AuditEvent[]
  readonly context: (subject?: Partial<Subject>, locale?: Locale) => Context
  readonly define: (draft: EntityDraft, owner?: string) => Promise<void>
  /** Adds a role with these permissions and returns its id. */
  readonly role: (
    code: string,
    permissions: readonly string[],
    rules?: readonly FixtureRule[],
    owner?: string,
  ) => Promise<string>
  /** The grants of these roles, for the subject of a context. */
  readonly granted: (...roleIds: readonly string[]) => Promise<Granted>
  readonly close: () => Promise<void>
}

const admin: Subject = {
  kind: 'staff',
  userId: '1',
  account: 'admin',
  name: '管理员',
  tenant,
  sessionId: '1',
  roles: ['ROLE_ADMIN'],
  roleIds: [],
  permissions: new Set(['ALL_PERMISSION']),
  grants: [],
  org: { id: '50', name: '教务处' },
  person: null,
}

export async function openFixture(): Promise<Fixture> {
  const database = await testDatabase()
  const db = databaseOf({ database })
  for (const statement of tables) await sql.raw(statement).execute(db)
  let last = 900_000_000_000_000n
  const newId = () => String((last += 1n))
  const log = pino({ level: 'silent' })
  const keys = createKeys([Buffer.alloc(32, 7)])
  const registry = createRegistry(database, log, { keys })
  const audited: AuditEvent[] = []
  const define = async (draft: EntityDraft, owner = '0') => {
    const parsed = v.parse(entityDefinitionSchema, draft)
    await sql`
      insert into sys.entity (id, tenant_id, tag, name, definition)
      values (${newId()}::int8, ${owner}::int8, ${parsed.tag}, ${parsed.name},
        ${JSON.stringify(parsed)}::jsonb)
      on conflict (tenant_id, tag) do update
        set definition = excluded.definition, version = sys.entity.version + 1`.execute(db)
    registry.invalidate()
  }
  for (const draft of definitions) await define(draft)
  await insertKinds(db, newId)
  const now = () => new Date('2026-01-05T01:02:03Z')
  const memory = createMemory(now)
  return {
    database,
    registry,
    audited,
    define,
    context: (subject = {}, locale = 'zh-CN') => ({
      database,
      registry,
      keys,
      memory,
      auditKeys: createAuditKeys([Buffer.alloc(32, 8)]),
      log,
      settings: readSettings({}),
      now,
      newId,
      locale,
      ip: '127.0.0.1',
      traceId: 't',
      request: new Request('http://school.test/'),
      ...noRequest,
      subject: { ...admin, ...subject },
      audit: (event, trx) => beforeCommit(trx, async () => void audited.push(event)),
      auditAlone: async (event) => {
        audited.push(event)
      },
    }),
    role: async (code, permissions, rules = [], owner = tenant) => {
      const id = newId()
      await sql`
        insert into sys.role (id, tenant_id, code, name)
        values (${id}::int8, ${owner}::int8, ${code}, ${code})`.execute(db)
      for (const permission of permissions)
        await sql`
          insert into sys.role_permission (tenant_id, role_id, code)
          values (${owner}::int8, ${id}::int8, ${permission})`.execute(db)
      for (const rule of rules) {
        const entity = await registry.get(owner, rule.tag)
        const reader = { registry, subject: { ...admin, tenant: owner } }
        const stored = storedRule(entity, rule, await ruleTargets(reader, entity))
        await insertRule(db, owner, id, stored)
      }
      return id
    },
    granted: (...roleIds) => readGranted(database.kysely, tenant, roleIds),
    close: () => database.close(),
  }
}

/** Items of the dictionary that the choices of the fixture are. */
async function insertKinds(db: Kysely<unknown>, newId: () => string): Promise<void> {
  for (const [index, [code, name, en]] of (
    [
      ['1', '甲', 'First'],
      ['2', '乙', 'Second'],
      ['3', '丙', 'Third'],
    ] as const
  ).entries()) {
    await sql`
      insert into sys.dict_item (id, tenant_id, dict_code, item_code, name, name_en, sort)
      values (${newId()}::int8, 0, 't_kind', ${code}, ${name}, ${en}, ${index})`.execute(db)
  }
}

async function insertRule(
  db: ReturnType<typeof databaseOf>,
  owner: string,
  roleId: string,
  { table, scope, expression, overrides }: TableRule,
): Promise<void> {
  await sql`
    insert into sys.role_table_rule
      (tenant_id, role_id, table_name, row_scope, scope_expression, field_overrides)
    values (${owner}::int8, ${roleId}::int8, ${table}, ${scope}, ${expression},
      ${JSON.stringify(overrides)}::jsonb)`.execute(db)
}

/** A rule of a test as the role page would store it; expressions that it refuses stay as written. */
function storedRule(
  entity: LoadedEntity,
  { tag, scope = 'all', expression = null, overrides = {} }: FixtureRule,
  targetOf: TargetOf,
): TableRule {
  const rule = { tag, scope, expression, overrides: overrides as RoleEntityRule['overrides'] }
  try {
    return ruleOfTable(entity, rule, undefined, targetOf)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { ...ruleOfTable(entity, { ...rule, expression: null }, undefined), expression }
  }
}

/** The uiTypes that no field of the sample has. */
export function missingKinds(): string[] {
  return uiTypes.filter(
    (uiType) => !sampleFields.some((each) => (each.uiType ?? 'input') === uiType),
  )
}
