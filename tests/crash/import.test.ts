// kill -9 during imports, then resuming them by the API and by the terminal in turn. ROUNDS=100
// kills more often.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isJobOver, type Job } from '@jiaowu/api/contract/job'
import { expect, it } from 'vitest'
import { toCsv, waitForJob } from '../support/imports.ts'
import { killableServer } from '../support/killable-server.ts'
import { copyOfBase } from '../support/server.ts'
import { type StaffClient, staffClient } from '../support/staff-client.ts'

const rounds = Number(process.env.ROUNDS ?? 2)
const rows = Number(process.env.ROWS ?? 3_000)
const tag = 'EDU_FACULTY'

const server = killableServer({ DEMO: '0' }, copyOfBase)

interface Session extends StaffClient {
  readonly url: string
}
async function start(): Promise<Session> {
  const running = await server.start()
  return { ...(await staffClient(running)), url: running.url }
}

const prefix = (round: number) => `K${String(round).padStart(3, '0')}-`
function createRoundFile(round: number) {
  return toCsv(
    `院系代码,院系名称,英文名称\n${Array.from({ length: rows }, (_, i) => `${prefix(round)}${i},院系 ${i},Faculty ${i}\n`).join('')}`,
  )
}
function digest(lines: readonly string[]) {
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}
const wanted = digest(Array.from({ length: rows }, (_, i) => `${i},院系 ${i},Faculty ${i}`))

/** The rows of this round, without what differs between rounds. */
async function exportRoundRows({ api }: Session, round: number): Promise<string[]> {
  const { stream } = await api.entityData.export({
    params: { tag },
    body: {
      queries: { code: prefix(round) },
      columns: ['code', 'name', 'nameEn'],
      format: 'ndjson',
    },
  })
  const text = (await new Response(stream).text()).trim()
  return text === ''
    ? []
    : text.split('\n').map((line) => {
        const { code, name, nameEn } = JSON.parse(line) as Record<string, string>
        return `${code?.slice(prefix(round).length)},${name},${nameEn}`
      })
}

/**
 * Waits until so many rows of a phase are done. The one transaction of `abort` cannot be observed,
 * because the embedded database answers no other request meanwhile: there it waits some time after
 * the last row was checked.
 */
async function moment(
  { api }: Session,
  id: string,
  { phase, row, inTransaction }: { phase: Job['phase']; row: number; inTransaction: boolean },
): Promise<void> {
  for (;;) {
    const job = await api.job.get({ params: { id } })
    if (isJobOver(job)) return
    if (
      inTransaction
        ? job.phase === 'checking' && job.done >= rows - 600
        : job.phase === phase && job.done >= row
    )
      break
    if (phase === 'checking' && job.phase === 'writing') return
  }
  if (inTransaction)
    await new Promise((resolve) => {
      setTimeout(resolve, row % 400)
    })
}

function resumeByTerminal({ url, token }: Session, id: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, '../../apps/cli/bin/jiaowu.js'),
        'entity',
        'import',
        '--resume',
        id,
        '--server',
        url,
        '--json',
      ],
      { stdio: ['ignore', 'ignore', 'ignore'], env: { ...process.env, JIAOWU_TOKEN: token } },
    )
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

it(
  `${rounds} kills during imports: resumed, every row is there once`,
  async () => {
    const seen = { checking: 0, writing: 0, late: 0, api: 0, terminal: 0 }
    let session = await start()
    for (let round = 0; round < rounds; round += 1) {
      const onError = round % 4 < 2 ? 'skip' : 'abort'
      const phase = round % 3 === 0 ? 'checking' : 'writing'
      const { id } = await session.api.job.import({
        params: { tag },
        body: { file: createRoundFile(round), onError },
      })
      await moment(session, id, {
        phase,
        row: (round * 7_919 + 131) % (rows - 1_000),
        inTransaction: onError === 'abort' && phase === 'writing',
      })
      await server.kill()

      session = await start()
      const killed = await session.api.job.get({ params: { id } })
      seen[
        killed.phase === 'finished' ? 'late' : killed.phase === 'writing' ? 'writing' : 'checking'
      ] += 1
      const left = await exportRoundRows(session, round)
      if (onError === 'abort') expect([0, rows]).toContain(left.length)
      expect(new Set(left).size).toBe(left.length)
      if (round % 2 === 0) {
        seen.api += 1
        await session.api.job
          .resume({ params: { id }, body: {} })
          .catch((error: { problem?: { code?: number } }) => {
            if (error.problem?.code !== 409) throw error
          })
      } else {
        seen.terminal += 1
        // 5: the job had ended before the kill, so there is nothing to resume
        expect([0, 5]).toContain(await resumeByTerminal(session, id))
      }
      const job = await waitForJob(session.api, id)
      expect(job).toMatchObject({
        status: 'done',
        phase: 'finished',
        total: rows,
        inserted: rows,
        failed: 0,
      })
      const found = await exportRoundRows(session, round)
      expect(found).toHaveLength(rows)
      expect(digest(found)).toBe(wanted)
    }
    console.log(
      `${rounds} kills, ${rows} rows each: ${JSON.stringify(seen)}; the same hash each time: ${wanted.slice(0, 16)}`,
    )
  },
  60_000 + rounds * 60_000,
)
