import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { killableServer } from '../support/killable-server.ts'
import { copyOfBase } from '../support/server.ts'
import { staffClient } from '../support/staff-client.ts'

const server = killableServer({ DEMO: '0' }, copyOfBase)

// ROUNDS=100 kills more often.
const rounds = Number(process.env.ROUNDS ?? 2)

it(
  'neither loses nor duplicates acknowledged records when the server is killed during writes',
  async () => {
    const acknowledged = new Set<string>()
    let sent = 0
    for (let round = 0; round < rounds; round += 1) {
      const { api } = await staffClient(await server.start())
      let alive = true
      const writer = async () => {
        while (alive) {
          sent += 1
          const code = `C${String(sent).padStart(6, '0')}`
          await api.entityData
            .create({ params: { tag: 'EDU_FACULTY' }, body: { code, name: `院系 ${code}` } })
            .then(
              () => acknowledged.add(code),
              () => {},
            )
        }
      }
      const writers = [writer(), writer(), writer(), writer()]
      // Writes are under way once some of this round are acknowledged, however slow the machine is.
      while (acknowledged.size < (round + 1) * 3) await sleep(5)
      await sleep((round * 397) % 300)
      await server.kill()
      alive = false
      await Promise.all(writers)
    }
    const { api } = await staffClient(await server.start())
    const found: string[] = []
    for (let pageNum = 1; ; pageNum += 1) {
      const { records } = await api.entityData.page({
        params: { tag: 'EDU_FACULTY' },
        body: { pageNum, pageSize: 1000, sorts: [{ column: 'code', asc: true }] },
      })
      found.push(...records.map((row) => String(row.code)))
      if (records.length < 1000) break
    }
    console.log(
      `${rounds} kills: ${sent} sent, ${acknowledged.size} acknowledged, ${found.length} found`,
    )
    expect(acknowledged.size).toBeGreaterThan(rounds)
    expect(new Set(found).size).toBe(found.length)
    expect([...acknowledged].filter((code) => !found.includes(code))).toEqual([])
  },
  60_000 + rounds * 10_000,
)
