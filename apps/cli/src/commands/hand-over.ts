import type { TodosHandedOver } from '@jiaowu/api/contract/administration/account'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'
import { findAccount } from './session.ts'

interface HandOverFlags {
  readonly note?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** `account hand-over ACCOUNT TO`: lists the tasks first. Exit code 5 where some stay with the account. */
export async function handOverTodos(
  line: CommandLine,
  account: string,
  to: string,
  { note, dryRun = false, yes = false }: HandOverFlags,
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const [from, receiver] = [await findAccount(line, api, account), await findAccount(line, api, to)]
  const call = (preview: boolean) =>
    api.account.handOver({
      params: { id: from.id },
      body: { to: receiver.id, preview, ...(note !== undefined && { note }) },
      signal,
    })
  const checked = await call(true)
  if (!output.json) show(line, checked)
  if (dryRun || checked.done === 0) {
    output.done(checked, t(locale, 'account.handOverWould', { n: checked.done }))
    return
  }
  const question = t(locale, 'cli.account.handOverAsk', { to: receiver.name })
  await confirmAct(line, question, yes, 'cli.account.notHandedOver')
  const done = await call(false)
  output.done(done, t(locale, 'account.handedOver', { name: from.name, n: done.done }))
  if (done.results.some(({ ok }) => !ok)) throw new CommandError(exitCodes.refused, '')
}

function show({ locale, output }: CommandLine, { name, results, shared }: TodosHandedOver): void {
  if (results.length === 0) output.talk(t(locale, 'account.handOverNone', { name }))
  for (const each of results)
    output.talk(
      each.ok
        ? `${each.name} ${each.id}: ${each.step ?? ''}`
        : t(locale, 'account.handOverLeft', { ...each, msg: each.msg ?? '' }),
    )
  if (shared > 0) output.talk(t(locale, 'account.handOverShared', { n: shared }))
}
