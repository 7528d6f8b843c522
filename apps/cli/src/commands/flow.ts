// Decisions in flows (docs/rules/contract.md#flows): what waits, where a record is, and to decide.
import {
  type FlowStateAnswer,
  type FlowTodo,
  todoKinds,
  type TodoKind,
  todoOrders,
  type TodoOrder,
} from '@jiaowu/api/contract/entity/flow'
import { formatDuration } from '@jiaowu/api/formats'
import { t } from '@jiaowu/api/texts/index'
import { readStateKey } from '@jiaowu/machines/flow/flow'
import { listFlowPaths } from '@jiaowu/machines/flow/paths'
import { describeSteps } from '@jiaowu/machines/flow/words'
import type { CommandLine } from '../command-line.ts'
import { parseValues } from '../entities/entity-query.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { decideList } from './flow-file.ts'
import { assertFree, saveFile } from '../files/save-file.ts'
import { loadScreen } from '../screens/load-screen.ts'
import { connect } from '../session/connect.ts'
import type { Api } from '../session/api.ts'

interface TodoFlags {
  readonly mine: string
  readonly tag?: string
  readonly page: string
  readonly sort?: string
  readonly due?: string
}

/**
 * `todo`: the cases that wait for the caller, that they began, or that they decided in. On a terminal a screen
 * that decides, too; piped, the list.
 */
export async function listTodos(line: CommandLine, flags: TodoFlags): Promise<void> {
  const { mine, tag, page, sort = 'since', due } = flags
  const { locale, output, signal } = line
  if (!isTodoKind(mine))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.todo.badMine', { value: mine }))
  if (!isTodoOrder(sort))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.todo.badSort', { value: sort }))
  const connection = connect(line)
  const isAsked = page !== '1' || flags.sort !== undefined || due !== undefined
  if (line.interactive && output.toTerminal && !output.json && !isAsked) {
    const { openTodo } = await loadScreen(line, () => import('../screens/todo/open-todo.tsx'))
    const readCase = createCaseReader(line, connection.api)
    await openTodo(line, connection, { mine, tag: tag ?? null, readCase })
    return
  }
  const { records, total } = await connection.api.flow.todo({
    body: {
      mine,
      pageNum: page,
      order: sort,
      ...(tag !== undefined && { tag }),
      ...(due !== undefined && { dueWithin: due }),
    },
    signal,
  })
  output.rows(records, () => ({
    heads: (['tag', 'id', 'title', 'state', 'applicant', 'since', 'due'] as const).map((name) =>
      t(locale, `cli.flow.col.${name}`),
    ),
    cells: records.map((each) => [
      each.tag,
      each.id,
      each.title,
      each.name,
      each.applicant?.name ?? '',
      each.since,
      each.due ?? '',
    ]),
  }))
  output.talk(t(locale, 'cli.todo.total', { n: total }))
}

/** A copy is read as such: its reader may not view the record. */
function createCaseReader(line: CommandLine, api: Api) {
  return async (
    { tag, id, copy }: Pick<FlowTodo, 'tag' | 'id' | 'copy'>,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const flow =
      copy === undefined
        ? await api.flow.read({ params: { tag, id }, signal })
        : (await api.flow.openCopy({ params: { id: copy.id }, signal })).flow
    return describeFlow(line, flow)
  }
}

function isTodoOrder(text: string): text is TodoOrder {
  return (todoOrders as readonly string[]).includes(text)
}

function isTodoKind(text: string): text is TodoKind {
  return (todoKinds as readonly string[]).includes(text)
}

/** `flow show TAG ID`: the state, what the caller may do, who is waited for, and the log. */
export async function showFlow(line: CommandLine, tag: string, id: string): Promise<void> {
  const answer = await connect(line).api.flow.read({ params: { tag, id }, signal: line.signal })
  line.output.data(answer, () => describeFlow(line, answer))
}

/** The state, what the caller may do, who is waited for, and the log; one line each. */
export function describeFlow({ locale }: CommandLine, flow: FlowStateAnswer): readonly string[] {
  const { name, since, active, can, open, log } = flow
  const where = active.filter(({ path }) => path !== flow.state).map((each) => each.name)
  return [
    `${t(locale, 'cli.flow.col.state')}: ${name} (${flow.state})${since === null ? '' : `, ${since}`}`,
    ...(where.length === 0 ? [] : [`  ${where.join(', ')}`]),
    ...(can.length === 0
      ? []
      : [
          `${t(locale, 'cli.flow.can')}: ${can
            .map(({ event, name: label, note, ask }) => {
              const wants = [
                ...(note === 'required' ? ['--note'] : []),
                ...ask
                  .filter(({ required }) => required)
                  .map(({ attrName }) => `--set ${attrName}=`),
              ]
              return `${event} (${label})${wants.length === 0 ? '' : ` ${wants.join(' ')}`}`
            })
            .join('; ')}`,
        ]),
    ...open.map(({ who, since: from, path }) => {
      const ways = flow.next
        .filter((each) => each.path === path)
        .map(({ event, to }) => (to === null ? event : `${event} → ${to}`))
      return `${t(locale, 'cli.flow.waits')}: ${who}, ${from}${ways.length === 0 ? '' : ` (${ways.join('; ')})`}`
    }),
    ...(flow.documents ?? []).map(({ number, name: title, issuedAt, revokedAt }) =>
      [number, title, issuedAt, ...(revokedAt === null ? [] : [`✗ ${revokedAt}`])].join('  '),
    ),
    ...log.map((each) =>
      [
        each.at,
        each.by?.name ?? '—',
        each.name,
        `${each.from} → ${each.to}`,
        formatDuration(locale, each.seconds),
        ...(each.note === null ? [] : [each.note]),
      ].join('  '),
    ),
  ]
}

interface DecideFlags {
  readonly set: readonly string[]
  readonly note?: string
  readonly dryRun?: boolean
}

/**
 * `flow decide TAG ID EVENT`: sends the event for the record as it is now.
 * `--dry-run` tells the state that it would lead to; `--file` takes the decisions from a list.
 */
export async function decideFlow(
  line: CommandLine,
  tag: string | undefined,
  id: string | undefined,
  event: string | undefined,
  flags: DecideFlags & { readonly file?: string; readonly yes?: boolean },
): Promise<void> {
  const { file } = flags
  const isListed = file !== undefined
  if (isListed && tag === undefined && flags.set.length === 0 && flags.note === undefined)
    await decideList(line, file, flags)
  else if (isListed || tag === undefined || id === undefined || event === undefined)
    throw new CommandError(exitCodes.usage, t(line.locale, 'cli.flow.needCase'))
  else await decideOne(line, { tag, id, event }, flags)
}

async function decideOne(
  line: CommandLine,
  { tag, id, event }: { readonly tag: string; readonly id: string; readonly event: string },
  { set, note, dryRun = false }: DecideFlags,
): Promise<void> {
  const { api } = connect(line)
  const { version } = await api.flow.read({ params: { tag, id }, signal: line.signal })
  const fields = set.length === 0 ? {} : await readFields(line, api, tag, set)
  const body = { version, fields, ...(note !== undefined && { note }) }
  if (dryRun) {
    const { results } = await api.flow.decide({
      body: { preview: true, items: [{ tag, id, event, ...body }] },
      signal: line.signal,
    })
    const [result] = results
    if (result === undefined || !result.ok)
      throw new CommandError(exitCodes.refused, result?.msg ?? '')
    line.output.done(result, t(line.locale, 'cli.flow.would', { state: result.name ?? '' }), id)
    return
  }
  const answer = await api.flow.send({ params: { tag, id, event }, body, signal: line.signal })
  line.output.done(answer, t(line.locale, 'cli.flow.done', { state: answer.name }), id)
}

async function readFields(
  line: CommandLine,
  api: Api,
  tag: string,
  set: readonly string[],
): Promise<Record<string, unknown>> {
  const config = await api.entityData.config({ params: { tag }, signal: line.signal })
  return await parseValues(api, config, set, line.locale)
}

/** `flow withdraw TAG ID`: the event of the applicant that takes the record back. */
export async function withdrawFlow(
  line: CommandLine,
  tag: string,
  id: string,
  flags: Pick<DecideFlags, 'note'>,
): Promise<void> {
  await decideOne(line, { tag, id, event: 'WITHDRAW' }, { set: [], ...flags })
}

/** `flow print TAG ID`: the decision sheet as a signed PDF. */
export async function printCase(
  line: CommandLine,
  tag: string,
  id: string,
  { output }: { readonly output?: string },
): Promise<void> {
  if (output !== undefined) await assertFree(line, output)
  const reply = await connect(line).api.paper.print({ params: { tag, id }, signal: line.signal })
  const { path, bytes } = await saveFile(line, reply, output, `${tag}-${id}.pdf`)
  if (path !== '-')
    line.output.done({ path, bytes }, t(line.locale, 'cli.flow.printed', { path }), path)
}

/** `machine paths TAG`: steps by which a tester takes every event of the flow, by everybody whom it asks. */
export async function printFlowPaths(line: CommandLine, tag: string): Promise<void> {
  const { locale, output, signal } = line
  const { options } = await connect(line).api.design.load({ params: { tag }, signal })
  if (options.flow === undefined) throw new CommandError(exitCodes.refused, t(locale, 'flow.none'))
  const side = locale === 'en' ? 1 : 0
  const paths = listFlowPaths(options.flow).map(({ row, moves }) => {
    const words = describeSteps(moves)
    return {
      row,
      steps: moves.map(({ after }, i) => ({
        who: words[i]?.who[side] ?? '',
        event: words[i]?.event[side] ?? '',
        state: readStateKey(after),
      })),
    }
  })
  if (output.json) {
    output.rows(paths, () => ({ heads: [], cells: [] }))
    return
  }
  output.data(paths, () =>
    paths.map(
      ({ row, steps }, i) =>
        `${String(i + 1)}. ${Object.keys(row).length === 0 ? '' : `${JSON.stringify(row)} `}${steps
          .map(({ who, event, state }) => `${who} ${event} [${state}]`)
          .join(' → ')}`,
    ),
  )
}
