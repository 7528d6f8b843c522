import { appendToOutbox } from '../outbox-file.ts'
import type { Settings } from '../settings/settings.ts'
import type { SmsDriver } from './driver.ts'

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
      await appendToOutbox(settings, 'sms.jsonl', now, { mobile, template, params, text })
      if (settings.appEnv === 'development') print(`SMS to ${mobile}: ${text}\n`)
    },
  }
}
