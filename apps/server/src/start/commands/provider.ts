// `npm run server -- provider check` and `sms test`: they open no database, so that they run beside the server.
import type { ProviderCheck } from '@jiaowu/api/contract/provider'
import { checkProviders, sendTestSms } from '../../payments/check-providers.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { type Command, exit, print, UsageError } from './command.ts'

export const providerCheckCommand: Command = {
  usage: '',
  help: 'try the accounts at the payment and SMS providers, without a charge',
  run: async () => reportChecks(await checkProviders(checking(), 'en')),
}

export const smsTestCommand: Command = {
  usage: 'MOBILE',
  help: 'send one message with the sign-in template to a number',
  positionals: 1,
  run: async ({ positionals: [mobile = ''] }) => {
    if (!/^1\d{10}$/.test(mobile)) throw new UsageError(`"${mobile}" is not a mobile number.`)
    return reportChecks([await sendTestSms(checking(), mobile, 'en')])
  },
}

function checking() {
  return { settings: readSettings(process.env), now: () => new Date() }
}

function reportChecks(checks: readonly ProviderCheck[]): number {
  for (const { provider, operation, ok, text } of checks)
    print(`${ok ? 'ok    ' : 'failed'}  ${provider} ${operation}: ${text}`)
  return checks.every(({ ok }) => ok) ? exit.done : exit.findings
}
