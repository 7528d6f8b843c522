import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { TestApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'

interface Caller {
  readonly admin: Client<typeof contract>
  readonly app: TestApp
}

/** Calls on proposals of agents that write. */
const proposalCalls = {
  'proposals.propose': ({ admin }: Caller) => proposeFaculty(admin),
  'proposals.confirm': async ({ admin }: Caller) => {
    const { id, digest, count } = await proposeFaculty(admin)
    return admin.proposals.confirm({ params: { id }, body: { digest, count } })
  },
  'proposals.refuse': async ({ admin }: Caller) => {
    const { id } = await proposeFaculty(admin)
    return admin.proposals.refuse({ params: { id } })
  },
}

/** Calls on tokens of programs, and on proposals, that write. */
export const tokenCalls = {
  ...proposalCalls,
  'apiToken.create': ({ admin }: Caller) => makeToken(admin),
  'apiToken.revoke': async ({ admin }: Caller) => {
    const { id } = await makeToken(admin)
    return admin.apiToken.revoke({ params: { id } })
  },
}

async function proposeFaculty(admin: Caller['admin']) {
  const tag = 'EDU_FACULTY'
  const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: 1 } })
  const values = { name: `学院${Math.floor(Math.random() * 1e9)}` }
  return await admin.proposals.propose({
    body: { act: { kind: 'update', tag, ids: [records[0]?.id ?? ''], values } },
  })
}

function makeToken(admin: Caller['admin']) {
  return admin.apiToken.create({
    body: { name: 'audit', entities: ['EDU_STUDENT'], rights: ['read'], days: 1 },
  })
}

/** Calls on hooks that write. */
export const hookCalls = {
  'hook.create': ({ admin }: Caller) => makeHook(admin),
  'hook.remove': async ({ admin }: Caller) => {
    const { id } = await makeHook(admin)
    return admin.hook.remove({ params: { id } })
  },
  'hook.repeat': async ({ admin, app }: Caller) => {
    const { id } = await makeHook(admin)
    const now = new Date().toISOString()
    await sql`insert into sys.hook_delivery
      (tenant_id, id, hook_id, row_key, event, content, create_time, next_at, done_at)
      values (10000, ${id}::int8, ${id}::int8, '1', 'create', '{}', ${now}, ${now}, ${now})`.execute(
      app.services.database.kysely,
    )
    return admin.hook.repeat({ params: { id } })
  },
}

function makeHook(admin: Client<typeof contract>) {
  return admin.hook.create({
    body: { name: '程序', url: 'https://example.org/', tag: 'EDU_FACULTY', events: ['create'] },
  })
}
