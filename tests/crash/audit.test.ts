// The server is killed during writes: a row without its audit line, or a line without its row, may not
// be found afterwards (docs/rules/security.md#l1).
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readAuditKeys } from '../../apps/server/src/platform/audit/open-keys.ts'
import { verifyAudit } from '../../apps/server/src/platform/audit/verify.ts'
import { openDatabase } from '../../apps/server/src/platform/database/open-database.ts'
import { killableServer } from '../support/killable-server.ts'
import { copyOfBase } from '../support/server.ts'
import { staffClient } from '../support/staff-client.ts'

const server = killableServer({ DEMO: '0' }, copyOfBase)

// Rounds and pauses are fixed. Set ROUNDS=100 for more.
const rounds = Number(process.env.ROUNDS ?? 2)

it(
  'leaves no write without its audit line when the server is killed in between',
  async () => {
    let dataDir = ''
    let [sent, acknowledged] = [0, 0]
    for (let round = 0; round < rounds; round += 1) {
      const running = await server.start()
      ;({ dataDir } = running)
      const { api } = await staffClient(running)
      let alive = true
      const writer = async () => {
        while (alive) {
          sent += 1
          const code = `A${String(sent).padStart(6, '0')}`
          await api.entityData
            .create({ params: { tag: 'EDU_FACULTY' }, body: { code, name: `院系 ${code}` } })
            .then(
              () => {
                acknowledged += 1
              },
              () => {},
            )
        }
      }
      const writers = [writer(), writer(), writer(), writer()]
      const before = acknowledged
      while (acknowledged === before) await sleep(5)
      await sleep((round * 37) % 250)
      await server.kill()
      alive = false
      await Promise.all(writers)
    }
    const database = await openDatabase(
      { dataDir, databaseUrl: undefined } as never,
      pino({ level: 'silent' }),
    )
    try {
      const { rows } = await sql<{ rows: string; lines: string; both: string }>`
        select count(f.id) as rows, count(l.id) as lines,
          count(*) filter (where f.id is not null and l.id is not null) as both
        from biz.faculty f full join (select id, object_id from sys.audit_log
          where action = 'entity.add' and object = 'EDU_FACULTY') l on l.object_id = f.id::text`.execute(
        database.kysely,
      )
      const [counts] = rows
      console.log(`${rounds} kills: ${sent} sent, ${acknowledged} acknowledged,`, counts)
      expect(Number(counts?.rows)).toBeGreaterThanOrEqual(acknowledged)
      expect(acknowledged).toBeGreaterThanOrEqual(rounds)
      expect(counts?.rows).toBe(counts?.both)
      expect(counts?.lines).toBe(counts?.both)
      const auditKeys = await readAuditKeys({ dataDir })
      if (auditKeys === null) throw new Error('there is no key file')
      const reports = await verifyAudit({ database, auditKeys })
      expect(reports.filter(({ broken }) => broken !== null)).toEqual([])
    } finally {
      await database.close()
    }
  },
  180_000 + rounds * 30_000,
)
