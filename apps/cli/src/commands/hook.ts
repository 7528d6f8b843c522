// Programs that are told of writes (docs/rules/contract.md#hooks).
import { deliveryStates, hookEvents } from '@jiaowu/api/contract/hook'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'
import { readKnownWords } from '../terminal/known-words.ts'
import { readPageNumber } from '../terminal/numbers.ts'

/** `hook ls`. */
export async function listHooks(line: CommandLine): Promise<void> {
  const { locale, output, signal } = line
  const records = await connect(line).api.hook.list({ signal })
  output.rows(records, () => ({
    heads: [
      t(locale, 'cli.refund.id'),
      t(locale, 'cli.col.name'),
      t(locale, 'cli.col.tag'),
      t(locale, 'cli.hook.event'),
      t(locale, 'cli.hook.waiting'),
      t(locale, 'cli.hook.failed'),
      t(locale, 'cli.hook.url'),
    ],
    cells: records.map(({ id, name, tag, events, waiting, failed, url }) => [
      id,
      name,
      tag,
      events.join(' '),
      String(waiting),
      String(failed),
      url,
    ]),
  }))
}

interface AddFlags {
  readonly events?: string
  readonly name?: string
}

/** `hook add TAG URL`: prints the secret of the signatures, once. */
export async function addHook(
  line: CommandLine,
  tag: string,
  url: string,
  { events, name }: AddFlags,
): Promise<void> {
  const { output, signal } = line
  const made = await connect(line).api.hook.create({
    body: {
      tag,
      url,
      name: name ?? tag,
      events:
        events === undefined
          ? [...hookEvents]
          : readKnownWords(line, events, hookEvents, 'cli.hook.badEvent'),
    },
    signal,
  })
  output.data(made, () => [made.id, made.secret])
}

/** `hook rm ID`. */
export async function removeHook(
  line: CommandLine,
  id: string,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  await confirmAct(line, t(locale, 'cli.hook.ask', { id }), yes)
  output.done(await api.hook.remove({ params: { id }, signal }), t(locale, 'cli.hook.removed'))
}

/** `hook deliveries ID`: newest first. */
export async function listDeliveries(
  line: CommandLine,
  id: string,
  { state, page }: { readonly state?: string; readonly page: string },
): Promise<void> {
  const { locale, output, signal } = line
  const wanted = deliveryStates.find((each) => each === state)
  if (state !== undefined && wanted === undefined)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.hook.badState', { value: state, known: deliveryStates.join(' ') }),
    )
  const pageNum = readPageNumber(page, locale)
  const { records, total } = await connect(line).api.hook.deliveries({
    params: { id },
    query: { pageNum, ...(wanted !== undefined && { state: wanted }) },
    signal,
  })
  output.rows(records, () => ({
    heads: [
      t(locale, 'cli.refund.id'),
      t(locale, 'cli.history.record'),
      t(locale, 'cli.hook.event'),
      t(locale, 'cli.refund.state'),
      t(locale, 'cli.hook.tries'),
      t(locale, 'cli.refund.failure'),
      t(locale, 'cli.history.at'),
    ],
    cells: records.map((each) => [
      each.id,
      each.rowId,
      each.event,
      each.state,
      String(each.attempts),
      each.failure ?? '',
      each.createTime,
    ]),
  }))
  output.talk(t(locale, 'cli.page', { page: pageNum, total }))
}

/** `hook repeat DELIVERY`: calls again, whether it was delivered or given up. */
export async function repeatDelivery(line: CommandLine, id: string): Promise<void> {
  const { locale, output, signal } = line
  const done = await connect(line).api.hook.repeat({ params: { id }, signal })
  output.done(done, t(locale, 'cli.hook.repeated', { id }))
}
