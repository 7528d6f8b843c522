import type { ProviderCheck } from '@jiaowu/api/contract/provider'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'

/** `provider check`: tries the server's accounts at its payment and SMS providers. */
export async function checkProviders(line: CommandLine): Promise<void> {
  const { api } = connect(line)
  reportProviders(line, await api.provider.check({}))
}

/** `sms test MOBILE`: the server sends one message to a number. */
export async function testSms(line: CommandLine, mobile: string): Promise<void> {
  const { api } = connect(line)
  reportProviders(line, [await api.provider.testSms({ body: { mobile } })])
}

/** @throws CommandError 7 when a provider refuses, after all were listed */
function reportProviders({ output, locale }: CommandLine, checks: readonly ProviderCheck[]): void {
  output.rows(checks, () => ({
    heads: [
      t(locale, 'cli.provider.provider'),
      t(locale, 'cli.provider.operation'),
      t(locale, 'cli.provider.result'),
    ],
    cells: checks.map(({ provider, operation, ok, text }) => [
      provider,
      operation,
      `${ok ? '✓' : '✗'} ${text}`,
    ]),
  }))
  if (checks.some(({ ok }) => !ok))
    throw new CommandError(exitCodes.checksFailed, t(locale, 'cli.provider.refused'))
}
