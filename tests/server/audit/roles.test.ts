// The statements of docs/operations.md give the server what it needs, and keep the audit log from it.
// Needs a PostgreSQL: TEST_ENGINE=postgres.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { staffClient } from '../../support/staff-client.ts'
import { serverCommand } from '../../support/server-command.ts'
import { startRealServer } from '../../support/server.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const { postgresUrl } = inject('testStore')

async function run(url: string, statements: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements.split(';').filter((text) => text.trim() !== ''))
      await client.query(statement)
  } finally {
    await client.end()
  }
}

describe.skipIf(postgresUrl === undefined)('the roles of docs/operations.md', () => {
  it('let the server work and keep what is written', async () => {
    const page = await readFile(join(root, 'docs', 'operations.md'), 'utf8')
    const [roles = '', rights = ''] = [...page.matchAll(/```sql\n([\s\S]+?)```/g)].map(
      ([, text]) => text,
    )
    const at = (role: string) =>
      (postgresUrl ?? '').replace(/\/\/[^@]*@/, `//${role}:x@`) + 'jiaowu'
    await run(`${postgresUrl}postgres`, roles)
    const migrated = serverCommand(['migrate'], { DATABASE_URL: at('jiaowu_owner') })
    expect(migrated).toMatchObject({ status: 0 })
    await run(at('jiaowu_owner'), rights)
    const checked = () => serverCommand(['check-role'], { DATABASE_URL: at('jiaowu_app') })
    expect(checked()).toMatchObject({
      status: 0,
      stdout: 'The role has every right that the product needs.\n',
    })
    await run(
      at('jiaowu_owner'),
      'grant update on sys.audit_log to jiaowu_app; revoke insert on biz.grade from jiaowu_app',
    )
    expect(checked()).toMatchObject({
      status: 7,
      stdout:
        '-- required: biz.grade: the product needs insert.\ngrant insert on biz.grade to jiaowu_app;\n' +
        '-- sys.audit_log: the role could change what is written for good.\n' +
        'revoke update on sys.audit_log from jiaowu_app;\n',
    })
    await run(
      at('jiaowu_owner'),
      'revoke update on sys.audit_log from jiaowu_app; grant insert on biz.grade to jiaowu_app',
    )
    const server = await startRealServer({ DATABASE_URL: at('jiaowu_app'), DEMO: '0' })
    try {
      const { api } = await staffClient(server)
      await api.entityData.create({
        params: { tag: 'EDU_FACULTY' },
        body: { code: 'R1', name: '院系' },
      })
      expect(await api.audit.verify({})).toMatchObject({ broken: null })
    } finally {
      await server.stop()
    }
    for (const statement of [
      'truncate sys.audit_log',
      'delete from sys.audit_log',
      `update sys.audit_log set action = 'no'`,
      'alter table sys.audit_log disable trigger all',
      'drop table sys.audit_log',
      'delete from sys.audit_chain',
      `insert into sys.audit_anchor (id) values (1)`,
      'create table biz.own (id bigint)',
    ])
      await expect(run(at('jiaowu_app'), statement), statement).rejects.toMatchObject({
        code: '42501',
      })
  }, 180_000)
})
