import { parseJson } from '@jiaowu/api/exact-json'
import type { DownloadFacts } from '@jiaowu/machines/download/ports'
import type { SmsFacts } from '@jiaowu/machines/sms-code/ports'
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
interface Facts {
  readonly sms: SmsFacts | null
  readonly order: DownloadFacts | null
}
const nothing: Facts = { sms: null, order: null }

/**
 * Facts of the student screens that outlive the command, in a file beside the token file, per
 * server: the lock after an SMS, and an order that is open, or paid but not downloaded.
 */
export function storedFacts({ sessions, server }: CommandLine) {
  const path = join(dirname(sessions.path), 'student.json')
  const all = (): v.InferOutput<typeof file> => {
    try {
      const parsed = v.safeParse(file, parseJson(readFileSync(path, 'utf8')))
      return parsed.success ? parsed.output : { version: 1, servers: {} }
    } catch {
      return { version: 1, servers: {} } // no file yet, or a damaged one
    }
  }
  return {
    read: (): Facts => all().servers[server] ?? nothing,
    write: (change: Partial<Facts>): void => {
      const { servers } = all()
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const temporary = `${path}.${process.pid}`
      writeFileSync(
        temporary,
        JSON.stringify({
          version: 1,
          servers: { ...servers, [server]: { ...(servers[server] ?? nothing), ...change } },
        }),
        { mode: 0o600 },
      )
      renameSync(temporary, path)
    },
  }
}
