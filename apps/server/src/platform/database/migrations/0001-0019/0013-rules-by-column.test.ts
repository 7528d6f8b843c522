import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../../../testing/database/database.ts'
import { quietLog } from '../../../../../testing/quiet-log.ts'
import type { Database } from '../../open-database.ts'
import { migrate } from '../migrate.ts'
import { rulesByColumnMigration } from './0013-rules-by-column.ts'
import { migrations } from '../index.ts'

let database: Database

const buildStoredDefinition = (tag: string, tableName: string, fields: readonly object[]) =>
  JSON.stringify({ tag, name: tag, tableName, fields })
const buildStoredField = (attrName: string, columnName: string | null, more: object = {}) => ({
  attrName,
  columnName,
  isList: 1,
  isDetail: 1,
  isEdit: 0,
  ...more,
})

/** The rules and history of a database as version 0012 left it. */
beforeAll(async () => {
  database = await testDatabase({ blank: true })
  const db = database.kysely
  const before = migrations.filter(({ name }) => name < rulesByColumnMigration.name)
  await migrate(db as never, before, quietLog)
  await sql`insert into sys.role (id, tenant_id, code, name) values (1, 10000, 'R', 'R')`.execute(
    db,
  )
  const student = buildStoredDefinition('A', 'student', [
    buildStoredField('idCard', 'id_card'),
    buildStoredField('name', 'name'),
    buildStoredField('hobby', null),
  ])
  const copy = buildStoredDefinition('B', 'student', [
    buildStoredField('no', 'id_card', { isExport: 1 }),
  ])
  const other = buildStoredDefinition('C', 'class', [buildStoredField('head', 'head_teacher')])
  await sql`
    insert into sys.entity (id, tenant_id, tag, name, definition) values
      (11, 0, 'A', 'A', '{"tableName":"elsewhere","fields":[]}'),
      (12, 10000, 'A', 'A', ${student}::jsonb), (13, 0, 'B', 'B', ${copy}::jsonb),
      (14, 0, 'C', 'C', ${other}::jsonb)`.execute(db)
  await sql`
    insert into sys.role_entity_rule values
      (10000, 1, 'A', 'expression', 'row.idCard != null and row.gone == 1',
        '{"idCard": {"isList": 0, "isDetail": 0}, "hobby": {"isList": 0}, "gone": {"isList": 0}}'),
      (10000, 1, 'B', 'own', null, '{"no": {"isExport": 0}}'),
      (10000, 1, 'C', 'org_tree', null, '{}'),
      (10000, 1, 'GONE', 'own', null, '{}')`.execute(db)
  await sql`
    insert into sys.row_history (id, tenant_id, tag, row_id, action, at, changes) values
      (21, 10000, 'A', '5', 'update', now(), '[{"attrName":"idCard","from":"1","to":"2"},
        {"attrName":"hobby","from":null,"to":"x"},{"attrName":"gone","from":null,"to":"y"}]'),
      (22, 10000, 'A', '5', 'delete', now(), '[]')`.execute(db)
  await rulesByColumnMigration.up(db as never)
})
afterAll(() => database.close())

it('keeps rules by table, at least as narrow as those of every entity on it', async () => {
  const rules = await database.kysely
    .selectFrom('sys.role_table_rule')
    .select(['table_name', 'row_scope', 'scope_expression', 'field_overrides'])
    .orderBy('table_name')
    .execute()
  expect(rules).toEqual([
    {
      table_name: 'biz.class',
      row_scope: 'org_tree',
      scope_expression: null,
      field_overrides: {},
    },
    {
      table_name: 'biz.student',
      row_scope: 'expression',
      scope_expression:
        '(row.id_card != null and row["?gone"] == 1) and (row.create_user == user.id)',
      field_overrides: {
        id_card: { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 },
        'custom:hobby': { isList: 0 },
      },
    },
  ])
})

it('adds the column to each change of the history', async () => {
  const { rows } = await sql<{ changes: unknown }>`
    select changes from sys.row_history order by id`.execute(database.kysely)
  expect(rows.map(({ changes }) => changes)).toEqual([
    [
      { attrName: 'idCard', from: '1', to: '2', key: 'biz.student.id_card' },
      { attrName: 'hobby', from: null, to: 'x', key: 'biz.student.custom:hobby' },
      { attrName: 'gone', from: null, to: 'y' },
    ],
    [],
  ])
})
