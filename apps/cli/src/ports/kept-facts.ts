import type { DownloadFacts, SmsFacts } from '@jiaowu/machines'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import type { CommandLine } from '../command-line.ts'

const sms = v.object({ version: v.literal(1), lockedUntil: v.number() })
const order = v.object({
  version: v.literal(1),
  account: v.string(),
  report: v.object({ id: v.string(), reportName: v.string() }),
  paid: v.boolean(),
  order: v.object({
    orderNo: v.string(),
    codeUrl: v.nullable(v.string()),
    amount: v.number(),
    deadline: v.number(),
  }),
})
const file = v.object({
  version: v.literal(1),
  servers: v.record(v.string(), v.object({ sms: v.nullable(sms), order: v.nullable(order) })),
})
interface Kept {
  readonly sms: SmsFacts | null
  readonly order: DownloadFacts | null
}
const nothing: Kept = { sms: null, order: null }

/** What outlives the command, beside the token file: the lock after an SMS, and an order that is open or paid and not saved. */
export function keptFacts({ sessions, server }: CommandLine) {
  const path = join(dirname(sessions.path), 'student.json')
  const all = (): v.InferOutput<typeof file> => {
    try {
      const parsed = v.safeParse(file, JSON.parse(readFileSync(path, 'utf8')))
      return parsed.success ? parsed.output : { version: 1, servers: {} }
    } catch {
      return { version: 1, servers: {} } // none yet, or damaged
    }
  }
  return {
    read: (): Kept => all().servers[server] ?? nothing,
    keep: (change: Partial<Kept>): void => {
      const { servers } = all()
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const fresh = `${path}.${process.pid}`
      writeFileSync(
        fresh,
        JSON.stringify({
          version: 1,
          servers: { ...servers, [server]: { ...(servers[server] ?? nothing), ...change } },
        }),
        { mode: 0o600 },
      )
      renameSync(fresh, path)
    },
  }
}
