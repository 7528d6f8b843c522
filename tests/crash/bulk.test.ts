// Kills the server during bulk changes: they continue after a restart, and no row is changed twice. Set
// ROUNDS=50 for more rounds.
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import { isJobOver } from '@jiaowu/api/contract/job'
import { expect, it } from 'vitest'
import { killableServer } from '../support/killable-server.ts'
import { copyOfDemo } from '../support/server.ts'
import { type StaffClient, staffClient } from '../support/staff-client.ts'

const rounds = Number(process.env.ROUNDS ?? 1)
const tag = 'EDU_STUDENT'

const server = killableServer({}, copyOfDemo)
const start = async (): Promise<StaffClient> => staffClient(await server.start())
async function waitForBulkJob(
  { api }: StaffClient,
  id: string,
  enough: (job: BulkJob) => boolean,
): Promise<BulkJob> {
  for (;;) {
    const job = await api.bulk.get({ params: { id } })
    if (enough(job)) return job
    await new Promise((resolve) => {
      setTimeout(resolve, 60)
    })
  }
}
/** Version and value of every row. */
async function readStoredEmails({
  api,
}: StaffClient): Promise<
  ReadonlyMap<string, { readonly version: number; readonly email: unknown }>
> {
  const found = new Map<string, { version: number; email: unknown }>()
  for (let pageNum = 1; ; pageNum += 1) {
    const { records, total } = await api.entityData.page({
      params: { tag },
      body: { pageNum, pageSize: 1_000 },
    })
    for (const { id, version, email } of records) found.set(id, { version: Number(version), email })
    if (found.size >= (total ?? 0) || records.length === 0) return found
  }
}

it(
  `${rounds} kills during changes of 2,000 rows: each row is changed once`,
  async () => {
    let session = await start()
    const seen: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const before = await readStoredEmails(session)
      const value = `round${round}@school.example`
      const { id } = await session.api.bulk.update({
        params: { tag },
        body: { queries: {}, set: { email: value } },
      })
      const { changed } = await waitForBulkJob(session, id, ({ status }) => status === 'paused')
      expect(changed).toBe(before.size)
      await session.api.bulk.apply({ params: { id }, body: { count: changed, onError: 'skip' } })
      const row = (round * 7_919 + 131) % (changed - 500)
      await waitForBulkJob(session, id, (job) => isJobOver(job) || job.updated >= row)
      await server.kill()

      session = await start()
      seen.push((await session.api.bulk.get({ params: { id } })).updated)
      expect(await waitForBulkJob(session, id, isJobOver)).toMatchObject({
        status: 'done',
        updated: changed,
        failed: 0,
      })
      const after = await readStoredEmails(session)
      expect(
        [...after]
          .map(([key, { version, email }]) => [
            key,
            version - (before.get(key)?.version ?? NaN),
            email,
          ])
          .filter(([, by, now]) => by !== 1 || now !== value),
      ).toEqual([])
    }
    console.log(`${rounds} kills; changed by then: ${seen.join(', ')}`)
  },
  60_000 + rounds * 60_000,
)
