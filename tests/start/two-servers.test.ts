// Two servers on one PostgreSQL database: of two deciders at the same moment one decides, and a timer fires once.
// ROUNDS=100 decides a hundred times.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import {
  type Cluster,
  findBinaries,
  startCluster,
} from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { facultyFlow, facultyTag, saveFacultyFlow } from '../flows/faculty-flow.ts'
import { openWalkSchool } from '../flows/walk/school.ts'
import { buildApiSurface, walkFlow } from '../flows/walk/walk.ts'
import { type RunningServer, startRealServer } from '../support/server.ts'
import { type StaffClient, staffClient } from '../support/staff-client.ts'
import { captchaEnv } from '../support/student.ts'

const rounds = Number(process.env.ROUNDS ?? 3)

function hasPostgres(): boolean {
  try {
    return findBinaries() !== ''
  } catch {
    return false
  }
}

const flow = {
  ...facultyFlow,
  states: {
    ...facultyFlow.states,
    review: {
      ...facultyFlow.states.review,
      on: {
        ...facultyFlow.states.review.on,
        APPROVE: { ...facultyFlow.states.review.on.APPROVE, ask: [] },
      },
      after: {
        '1 h': {
          target: 'refused',
          effects: [{ notify: { who: [{ applicant: true }], template: 'NOTICE' } }],
        },
      },
    },
  },
}

describe.skipIf(!hasPostgres())('two servers on one database', () => {
  let cluster: Cluster
  const servers: RunningServer[] = []
  let clerk: StaffClient['api']
  let admins: readonly StaffClient['api'][] = []
  let made = 0

  beforeAll(async () => {
    cluster = await startCluster()
    const client = new pg.Client({ connectionString: `${cluster.url}postgres` })
    await client.connect()
    await client.query('create database two_servers')
    await client.end()
    const env = { ...captchaEnv, DATABASE_URL: `${cluster.url}two_servers` }
    const first = await startRealServer(env)
    servers.push(first, await startRealServer({ ...env, DATA_DIR: first.dataDir }))
    admins = await Promise.all(servers.map(async (server) => (await staffClient(server)).api))
    clerk = (await staffClient(first, 'registrar')).api
    const [admin] = admins
    if (admin !== undefined) await saveFacultyFlow(admin, flow)
  }, 300_000)
  afterAll(async () => {
    for (const server of servers.toReversed()) await server.stop()
    await cluster.stop()
  })

  async function submit(): Promise<string> {
    made += 1
    const { id } = await clerk.entityData.create({
      params: { tag: facultyTag },
      body: { code: `W${String(made).padStart(4, '0')}`, name: `院系 ${String(made)}` },
    })
    const params = { tag: facultyTag, id }
    const { version } = await clerk.flow.read({ params })
    await clerk.flow.send({ params: { ...params, event: 'SUBMIT' }, body: { version } })
    return id
  }

  async function query<Row>(statement: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: `${cluster.url}two_servers` })
    await client.connect()
    try {
      return (await client.query(statement)).rows as Row[]
    } finally {
      await client.end()
    }
  }

  it('share one folder: a server with another one is refused, with the way out', async () => {
    const [{ id }] = (await query<{ id: string }>('select id from sys.file_folder')) as [
      { id: string },
    ]
    const dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-other-'))
    try {
      const env = { DATABASE_URL: `${cluster.url}two_servers`, DATA_DIR: dataDir, DEMO: '0' }
      const copyKeys = async () => {
        await mkdir(dataDir, { recursive: true })
        for (const name of ['pii.key', 'audit.key'])
          await copyFile(join(servers[0]?.dataDir ?? '', name), join(dataDir, name))
      }
      await copyKeys()
      const refused = startRealServer(env)
      await expect(refused).rejects.toThrow(/is not the folder with the files of this database/)
      await copyKeys()
      await writeFile(join(dataDir, 'store.id'), `${id}\n`)
      await (await startRealServer(env)).stop()
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }, 120_000)

  it('leave an import to the server that has its file', async () => {
    const [first] = admins
    if (first === undefined) throw new Error('no server')
    const sheet = new File(['code,name\nZZ01,某院\n'], 'faculty.csv', { type: 'text/csv' })
    const params = { tag: facultyTag }
    const job = await first.job.import({ params, body: { file: sheet, dryRun: true } })
    const rows = await query<{ store: string }>(
      `select file ->> 'store' as store from sys.job where id = ${job.id}`,
    )
    expect(rows[0]?.store).toMatch(/^\d+-[0-9a-f]{16}$/)
    await query(`insert into sys.job (tenant_id, id, user_id, kind, tag, status, phase, options, file, choice_hash, locale)
      select tenant_id, id + 1, user_id, kind, tag, 'queued', 'reading', options,
        jsonb_set(file, '{store}', '"elsewhere"'), choice_hash, locale from sys.job where id = ${job.id}`)
    await expect
      .poll(() => query(`select 1 from sys.job where id = ${job.id} and status = 'done'`), {
        timeout: 30_000,
      })
      .toHaveLength(1)
    expect(await query(`select status from sys.job where id = ${job.id}::int8 + 1`)).toEqual([
      { status: 'queued' },
    ])
  }, 60_000)

  it(
    'let one of two deciders decide, and tell the other what happened',
    async () => {
      const wrong: string[] = []
      for (let round = 0; round < rounds; round += 1) {
        const id = await submit()
        const params = { tag: facultyTag, id }
        const { version } = await clerk.flow.read({ params })
        const outcomes = await Promise.all(
          admins.map((api, no) =>
            api.flow
              .send({
                params: { ...params, event: no === 0 ? 'APPROVE' : 'REJECT' },
                body: { version, ...(no === 1 && { note: '不同意' }) },
              })
              .then(
                ({ state }) => state,
                (error: { problem?: { code: number } }) => String(error.problem?.code),
              ),
          ),
        )
        const { state, log } = await clerk.flow.read({ params })
        const expected = [state, '40900'].toSorted()
        if (outcomes.toSorted().join() !== expected.join() || log.length !== 2)
          wrong.push(`${id}: ${outcomes.join()}, ${state}, ${String(log.length)} lines`)
      }
      console.log(
        `${String(rounds)} rounds of two deciders on two servers, ${String(wrong.length)} wrong`,
      )
      expect(wrong).toEqual([])
    },
    60_000 + rounds * 3_000,
  )

  it('take turns on every path of the shipped flows, as the machine does', async () => {
    const [first, second] = servers
    if (first === undefined || second === undefined) throw new Error('two servers run')
    const school = await openWalkSchool(first)
    const other = await openWalkSchool(second, school.studentToken)
    const surfaces = [buildApiSurface(school), buildApiSurface(other)]
    for (const flow of school.flows) expect((await walkFlow(flow, surfaces)).wrong).toEqual([])
  })

  it(
    'fire each timer once',
    async () => {
      const ids: string[] = []
      while (ids.length < Math.max(20, rounds)) ids.push(await submit())
      await query('update sys.flow_timer set next_at = now()')
      await expect
        .poll(() => query('select id from sys.flow_timer where done_at is null'), {
          timeout: 60_000 + rounds * 1_000,
          interval: 500,
        })
        .toEqual([])
      const counts = await query<{ id: string; times: number }>(`
        select c.row_id as id, count(*)::int as times from sys.flow_decision d
        join sys.flow_case c on c.tenant_id = d.tenant_id and c.id = d.case_id
        where d.user_id is null group by c.row_id order by c.row_id`)
      expect(counts).toEqual(ids.toSorted().map((id) => ({ id, times: 1 })))
      // The demonstration has messages about other cases.
      const rows = await query<{ id: string }>(`
        select row_id as id from sys.message where kind = 'flow' and row_id in (
          select c.row_id from sys.flow_decision d
          join sys.flow_case c on c.tenant_id = d.tenant_id and c.id = d.case_id
          where d.user_id is null) order by row_id`)
      expect(rows.map(({ id }) => id)).toEqual(ids.toSorted())
    },
    180_000 + rounds * 3_000,
  )
})
