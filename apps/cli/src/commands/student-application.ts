// Applications of students by command, in the session of `jiaowu student`
// (docs/rules/contract.md#students-as-applicants).
import { createRequest } from '@jiaowu/api/client/create-request'
import type { ApplicationKind } from '@jiaowu/api/contract/student/application'
import { t } from '@jiaowu/api/texts/index'
import { toApplicantApi, toFlowAnswer } from '@jiaowu/machines/entity-form/applicant-api'
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { CommandLine } from '../command-line.ts'
import { parseValues } from '../entities/entity-query.ts'
import { formatRowLines } from './entity/read.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { fileFault } from '../files/file-fault.ts'
import { loadScreen } from '../screens/load-screen.ts'
import type { Api } from '../session/api.ts'
import { connect, type Connection } from '../session/connect.ts'
import { describeFlow } from './flow.ts'

/** The profile of students, separate from those of staff. */
export function toStudentLine(line: CommandLine): CommandLine {
  return { ...line, profile: `student@${new URL(line.server).host}` }
}

/** The calls of forms and flows, made for the student's own applications. @throws CommandError without a session */
function connectStudent(given: CommandLine): {
  line: CommandLine
  connection: Connection
  self: string
} {
  const line = toStudentLine(given)
  const hasToken = (line.env.JIAOWU_TOKEN ?? '') !== ''
  const known = line.sessions.get(line.profile)?.session ?? null
  if (!hasToken && known === null)
    throw new CommandError(exitCodes.signedOut, t(line.locale, 'cli.student.signedOut'))
  const connection = connect(line)
  const self = known?.user.name ?? ''
  return { line, connection: { ...connection, api: toApplicantApi(connection.api, self) }, self }
}

/** `student ls`: what can be applied for, and own applications. */
export async function listApplications(given: CommandLine): Promise<void> {
  const { line, connection } = connectStudent(given)
  const { locale, output, signal } = line
  const { api } = connection
  const [kinds, records] = await Promise.all([
    api.application.kinds({ signal }),
    api.application.list({ signal }),
  ])
  const side = locale === 'en' ? 'en' : 'zh'
  for (const { tag, title } of kinds)
    output.talk(t(locale, 'cli.student.kind', { name: title[side], tag }))
  output.rows(records, () => ({
    heads: (['tag', 'id', 'title', 'state', 'since'] as const).map((name) =>
      t(locale, `cli.flow.col.${name}`),
    ),
    cells: records.map(({ tag, id, title, stateName, since }) => [
      tag,
      id,
      title,
      stateName,
      since,
    ]),
  }))
}

interface ApplyFlags {
  readonly set: readonly string[]
  readonly attach: readonly string[]
  readonly send?: string
  readonly note?: string
}

/**
 * `student apply TAG`: by `--set`, or in the form on a terminal; attaches files, then sends an event such as SUBMIT.
 * The application is kept as a draft where a later step fails.
 */
export async function apply(given: CommandLine, tag: string, flags: ApplyFlags): Promise<void> {
  const { line, connection } = connectStudent(given)
  const { api } = connection
  const { locale, signal, output } = line
  const { config } = await findKind(line, api, tag)
  const files = await Promise.all(flags.attach.map((path) => readLocalFile(line, path)))
  const id =
    flags.set.length === 0
      ? await fillApplication(line, connection, tag)
      : (
          await api.entityData.create({
            params: { tag },
            ...createRequest(
              config,
              await parseValues(api, config, flags.set, locale),
              await api.session.generateId({ signal }),
            ),
            signal,
          })
        ).id
  for (const file of files)
    await api.attachment.upload({ body: { file, bizType: tag, bizId: id }, signal })
  if (flags.send !== undefined) {
    await sendOwn(line, api, { tag, id, event: flags.send, ...pickNote(flags) })
    return
  }
  const { can, name } = await api.flow.read({ params: { tag, id }, signal })
  output.done({ id, can }, t(locale, 'cli.student.made', { id, state: name }), id)
  for (const { event, name: label } of output.json ? [] : can)
    output.talk(`  ${label}: jiaowu student send ${tag} ${id} ${event}`)
}

async function findKind(
  { locale, signal }: CommandLine,
  api: Api,
  tag: string,
): Promise<ApplicationKind> {
  const kinds = await api.application.kinds({ signal })
  const kind = kinds.find((each) => each.tag === tag)
  if (kind !== undefined) return kind
  const known = kinds.map((each) => each.tag).join(', ') || '—'
  throw new CommandError(exitCodes.refused, t(locale, 'cli.student.noKind', { tag, known }))
}

async function fillApplication(
  line: CommandLine,
  connection: Connection,
  tag: string,
): Promise<string> {
  if (!line.interactive) throw new CommandError(exitCodes.usage, t(line.locale, 'cli.needValues'))
  const { openForm } = await loadScreen(line, () => import('../screens/open-form.tsx'))
  const row = await openForm(line, connection, tag, null)
  if (row === null) throw new CommandError(exitCodes.interrupted, t(line.locale, 'cli.leftForm'))
  return row.id
}

async function readLocalFile({ locale }: CommandLine, path: string): Promise<File> {
  try {
    return new File([await openAsBlob(path)], basename(path))
  } catch (error) {
    throw new CommandError(exitCodes.usage, `${path}: ${fileFault(locale, error)}`)
  }
}

/** `student show TAG ID`: the fields, the state, what the student may do, and what happened. */
export async function showApplication(given: CommandLine, tag: string, id: string): Promise<void> {
  const { line, connection, self } = connectStudent(given)
  const { api } = connection
  const { config } = await findKind(line, api, tag)
  const application = await api.application.get({ params: { tag, id }, signal: line.signal })
  line.output.data(application, () => [
    ...formatRowLines(config, application.row, line),
    ...describeFlow(line, toFlowAnswer(application, self)),
  ])
}

interface SendFlags {
  readonly set: readonly string[]
  readonly note?: string
}

/** `student send TAG ID EVENT`: changes the fields of `--set` that the state opens, then sends the event. */
export async function sendApplication(
  given: CommandLine,
  tag: string,
  id: string,
  event: string,
  flags: SendFlags,
): Promise<void> {
  const { line, connection } = connectStudent(given)
  const { api } = connection
  if (flags.set.length > 0) await changeFields(line, api, { tag, id, set: flags.set })
  await sendOwn(line, api, { tag, id, event, ...pickNote(flags) })
}

interface OwnEvent {
  readonly tag: string
  readonly id: string
  readonly event: string
  readonly note?: string
}

async function sendOwn(
  { locale, output, signal }: CommandLine,
  api: Api,
  { tag, id, event, ...note }: OwnEvent,
): Promise<void> {
  const { version } = await api.flow.read({ params: { tag, id }, signal })
  const answer = await api.flow.send({
    params: { tag, id, event },
    body: { version, ...note },
    signal,
  })
  output.done({ id, state: answer.state }, t(locale, 'cli.flow.done', { state: answer.name }), id)
}

async function changeFields(
  { locale, signal }: CommandLine,
  api: Api,
  { tag, id, set }: { readonly tag: string; readonly id: string; readonly set: readonly string[] },
): Promise<void> {
  const config = await api.entityData.config({ params: { tag }, signal })
  const stored = await api.entityData.get({ params: { tag, id }, signal })
  const changes = await parseValues(api, config, set, locale, stored)
  await api.entityData.update({
    params: { tag, id },
    body: {
      ...changes,
      ...(stored.version === undefined ? {} : { version: stored.version }),
    } as Parameters<Api['entityData']['update']>[0]['body'],
    signal,
  })
}

function pickNote({ note }: { readonly note?: string }): { readonly note?: string } {
  return note === undefined ? {} : { note }
}

/** `student messages`: notices of own applications, newest first; `--read` marks them as read. */
export async function listMessages(
  given: CommandLine,
  { unread = false, read = false }: { readonly unread?: boolean; readonly read?: boolean },
): Promise<void> {
  const { line, connection } = connectStudent(given)
  const { locale, output, signal } = line
  const { messages } = connection.api
  const { records } = await messages.mine({ query: unread ? { unread: '1' } : {}, signal })
  output.rows(records, () => ({
    heads: (['since', 'title', 'content'] as const).map((name) => t(locale, `cli.student.${name}`)),
    cells: records.map(({ createTime, title, content }) => [createTime, title, content]),
  }))
  if (read) await messages.read({ params: { id: 'all' }, signal })
}
