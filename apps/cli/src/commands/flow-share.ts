// Tasks of flows shared with others: 转办, 加签, 抄送 and 委托 (docs/rules/contract.md#flows).
import type { FlowDelegation, FlowHanded } from '@jiaowu/api/contract/entity/flow'
import { flowAddWays } from '@jiaowu/api/entity/definition/flow'
import { t } from '@jiaowu/api/texts/index'
import { schoolDay } from '@jiaowu/api/formats'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import type { Api } from '../session/api.ts'
import { connect } from '../session/connect.ts'

interface ShareFlags {
  readonly to?: string
  readonly role?: string
  readonly note?: string
  readonly step?: string
  readonly dryRun?: boolean
}

/** `flow transfer TAG ID --to PERSON --note TEXT`: another decides instead. */
export async function transferTask(
  line: CommandLine,
  tag: string,
  id: string,
  flags: ShareFlags,
): Promise<void> {
  const { locale, signal } = line
  const { to = '', note = '' } = flags
  if (to === '') throw toUsageFault(t(locale, 'cli.flow.needTo'))
  if (note === '') throw toUsageFault(t(locale, 'hand.reasonMissing'))
  const { api } = connect(line)
  const task = await readTask(line, api, { tag, id, flags })
  const { key } = await findPerson(line, api, to)
  const done = await api.flow.transfer({ body: { ...task, to: key, note }, signal })
  tellHanded(line, 'transfer', done, id)
}

/** `flow add TAG ID --way WAY --to PERSON | --role CODE`: somebody more decides in the step. */
export async function addDecider(
  line: CommandLine,
  tag: string,
  id: string,
  flags: ShareFlags & { readonly way?: string },
): Promise<void> {
  const { locale, signal } = line
  const { to, role, note } = flags
  const way = flowAddWays.find((each) => each === flags.way)
  if (way === undefined)
    throw toUsageFault(t(locale, 'cli.flow.needWay', { value: flags.way ?? '' }))
  if ((to === undefined) === (role === undefined))
    throw toUsageFault(t(locale, 'cli.flow.needToOrRole'))
  const { api } = connect(line)
  const task = await readTask(line, api, { tag, id, flags })
  const whom = to === undefined ? { role } : { to: (await findPerson(line, api, to)).key }
  const body = { ...task, way, ...whom, ...(note !== undefined && { note }) }
  tellHanded(line, 'add', await api.flow.add({ body, signal }), id)
}

/** `flow copy TAG ID --to PERSON…`: others read the case. */
export async function sendCopies(
  line: CommandLine,
  tag: string,
  id: string,
  { to, note }: { readonly to: readonly string[]; readonly note?: string },
): Promise<void> {
  const { locale, output, signal } = line
  if (to.length === 0) throw toUsageFault(t(locale, 'cli.flow.needTo'))
  const { api } = connect(line)
  const people: Person[] = []
  for (const each of to) people.push(await findPerson(line, api, each))
  const answer = await api.flow.copy({
    body: { tag, id, to: people.map(({ key }) => key), ...(note !== undefined && { note }) },
    signal,
  })
  const names = people.map(({ name }) => name).join('、')
  output.done(answer, `${t(locale, 'hand.done.copy')}: ${names}`, id)
}

interface DelegateFlags {
  readonly to?: string
  readonly from?: string
  readonly until?: string
  readonly tag: readonly string[]
  readonly note?: string
  readonly end?: string
}

/** `flow delegate`: lists substitutes, makes somebody one from day to day, or ends it. */
export async function delegate(line: CommandLine, flags: DelegateFlags): Promise<void> {
  const { locale, signal, output } = line
  const { to, until, note, tag, end } = flags
  if (end !== undefined && to !== undefined) throw toUsageFault(t(locale, 'cli.flow.endAlone'))
  const { api } = connect(line)
  if (end !== undefined) {
    const answer = await api.flow.endDelegation({ params: { id: end }, signal })
    output.done(answer, t(locale, 'cli.flow.ended'), end)
    return
  }
  if (to === undefined) {
    if (until !== undefined) throw toUsageFault(t(locale, 'cli.flow.needTo'))
    const { given, received } = await api.flow.delegations({ signal })
    listDelegations(line, [
      ...given.map((each) => ({ ...each, side: 'given' as const })),
      ...received.map((each) => ({ ...each, side: 'received' as const })),
    ])
    return
  }
  if (until === undefined) throw toUsageFault(t(locale, 'cli.flow.needUntil'))
  const from = flags.from ?? schoolDay(Date.now())
  const { key, name } = await findPerson(line, api, to)
  const answer = await api.flow.delegate({
    body: { to: key, from, until, tags: [...tag], ...(note !== undefined && { note }) },
    signal,
  })
  const period = t(locale, 'hand.period', { name, from, until })
  output.done(answer, `${t(locale, 'hand.delegated')}: ${period}`)
}

function listDelegations(
  { locale, output }: CommandLine,
  all: readonly (FlowDelegation & { readonly side: 'given' | 'received' })[],
): void {
  output.rows(all, () => ({
    heads: [
      t(locale, 'cli.flow.col.id'),
      t(locale, 'hand.substitutes'),
      t(locale, 'hand.person'),
      t(locale, 'hand.from'),
      t(locale, 'hand.until'),
      t(locale, 'cli.flow.col.tag'),
      t(locale, 'flowPanel.note'),
    ],
    cells: all.map(({ id, side, to, by, from, until, tags, note }) => [
      id,
      t(locale, `hand.${side}`),
      side === 'given' ? to.name : by.name,
      from,
      until,
      tags.join(','),
      note ?? '',
    ]),
  }))
  if (all.length === 0) output.talk(t(locale, 'hand.none'))
}

interface Sharing {
  readonly tag: string
  readonly id: string
  readonly flags: ShareFlags
}

/** The task with the version that the case has now. */
async function readTask({ signal }: CommandLine, api: Api, { tag, id, flags }: Sharing) {
  const { version } = await api.flow.read({ params: { tag, id }, signal })
  return {
    tag,
    id,
    version,
    preview: flags.dryRun === true,
    ...(flags.step !== undefined && { path: flags.step }),
  }
}

function tellHanded(
  { locale, output }: CommandLine,
  act: 'transfer' | 'add',
  handed: FlowHanded,
  id: string,
): void {
  const { step, whom, flow } = handed
  const would = t(locale, `hand.would.${act}`, { step, name: whom })
  output.done(
    handed,
    flow === null ? would : `${t(locale, `hand.done.${act}`)}: ${step} → ${whom}`,
    id,
  )
}

interface Person {
  readonly key: string
  readonly name: string
}

/**
 * A person by an id, a whole name, or the only one whose name or account fits.
 * @throws CommandError (usage) for nobody, and for several, who are named
 */
async function findPerson(
  { locale, signal }: CommandLine,
  api: Api,
  text: string,
): Promise<Person> {
  const { people } = await api.flow.people({ query: { q: text }, signal })
  const named = people.filter(({ name }) => name === text)
  const [first, second] = named.length === 1 ? named : people
  if (first !== undefined && second === undefined) return { key: first.id, name: first.name }
  if (first !== undefined)
    throw toUsageFault(
      t(locale, 'cli.flow.several', {
        text,
        names: people
          .map(({ id, name, org }) => `${name}${org === null ? '' : ` (${org})`} ${id}`)
          .join('、'),
      }),
    )
  if (/^\d{6,19}$/.test(text)) return { key: text, name: text }
  throw toUsageFault(t(locale, 'cli.flow.nobody', { text }))
}

function toUsageFault(message: string): CommandError {
  return new CommandError(exitCodes.usage, message)
}
