import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../settings/settings.ts'
import type { SmsDriver } from './driver.ts'

/** The outbox file: one line of JSON per message (docs/rules/contract.md#running). */
function outboxFile({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'outbox', 'sms.jsonl')
}

/** Sends nothing: appends each message to the outbox file and, in development, prints it. */
export function outboxDriver(
  settings: Pick<Settings, 'dataDir' | 'appEnv'>,
  now: () => Date,
  print: (line: string) => void = (line) => {
    process.stdout.write(line)
  },
): SmsDriver {
  return {
    name: 'outbox',
    send: async ({ mobile, template, params, text }) => {
      await mkdir(join(settings.dataDir, 'outbox'), { recursive: true })
      await appendFile(
        outboxFile(settings),
        `${JSON.stringify({ at: now().toISOString(), mobile, template, params, text })}\n`,
        { mode: 0o600 },
      )
      if (settings.appEnv === 'development') print(`SMS to ${mobile}: ${text}\n`)
    },
  }
}
