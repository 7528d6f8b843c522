import type { OwnSession } from '@jiaowu/api/contract/own-session'
import { schoolTime } from '@jiaowu/api/formats'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'
import type { Api } from '../session/api.ts'
import { confirmAct } from '../terminal/confirm.ts'

/** `session ls`: where the account is signed in. */
export async function listSessions(line: CommandLine): Promise<void> {
  const { locale, output, signal } = line
  const records = await connect(line).api.ownSessions.list({ signal })
  const minuteOf = (time: string) => schoolTime(time).slice(0, 16)
  const cellsOf = ({ id, device, address, by, began, lastUse, current }: OwnSession) => [
    current ? '*' : '',
    id,
    device ?? '-',
    address ?? '-',
    by ?? '-',
    minuteOf(began),
    minuteOf(lastUse),
  ]
  output.rows(records, () => ({
    heads: [
      '',
      t(locale, 'cli.job.id'),
      ...(['device', 'address', 'by', 'began', 'lastUse'] as const).map((key) =>
        t(locale, `cli.session.${key}`),
      ),
    ],
    cells: records.map(cellsOf),
  }))
}

/** `session end ID`, or `--others`: ends one of the caller's sessions, or all but this one. */
export async function endSession(
  line: CommandLine,
  id: string | undefined,
  { others }: { readonly others?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  if ((id === undefined) === (others !== true))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.session.which'))
  const { ended } = await connect(line).api.ownSessions.end({
    params: { id: id ?? 'others' },
    signal,
  })
  output.done({ ended }, t(locale, 'cli.session.ended', { n: ended.length }))
}

/** `account end-sessions ACCOUNT`: signs another account out on every device. */
export async function endAccountSessions(
  line: CommandLine,
  account: string,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const { id, name } = await findAccount(line, api, account)
  const question = t(locale, 'cli.account.endAsk', { name, account })
  await confirmAct(line, question, yes, 'cli.account.notEnded')
  const done = await api.account.endSessions({ params: { id }, signal })
  output.done({ ...done }, t(locale, 'cli.account.ended', { name: done.name, n: done.ended }))
}

/** @throws CommandError when the caller sees no such account */
export async function findAccount(
  { locale, signal }: CommandLine,
  api: Api,
  account: string,
): Promise<{ readonly id: string; readonly name: string }> {
  const { records } = await api.entityData.page({
    params: { tag: 'SYS_USER' },
    body: { where: { and: [{ column: 'account', op: 'equal', value: account }] }, pageSize: 2 },
    signal,
  })
  const [found] = records
  if (found === undefined || records.length > 1)
    throw new CommandError(exitCodes.refused, t(locale, 'cli.account.none', { account }))
  return { id: found.id, name: String(found['name'] ?? account) }
}
