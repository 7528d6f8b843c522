import { parseJson } from '@jiaowu/api/exact-json'
import type { Method } from '@jiaowu/api/endpoint'
import {
  ApiProblem,
  isNetworkFailure,
  networkProblem,
  problemOfReply,
  proofHeader,
  proofNeededCode,
} from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { saveFile } from '../files/save-file.ts'
import { readText } from '../files/text-file.ts'
import { connect, type Connection } from '../session/connect.ts'
import { askForProof } from '../session/fresh-proof.ts'

interface ApiFlags {
  readonly field: readonly string[]
  readonly header: readonly string[]
  readonly input?: string
  readonly output?: string
}
interface Call {
  readonly method: Method
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const satisfies readonly Method[]

/** `api METHOD PATH`: a call of the API with the session of the terminal; prints the data of its answer, or a file. */
export async function callApi(
  line: CommandLine,
  method: string,
  path: string,
  flags: ApiFlags,
): Promise<void> {
  const call = await buildCall(line, method, path, flags)
  const response = await sendCall(line, connect(line), call)
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '')
  if (isJson && flags.output === undefined) {
    line.output.object(openEnvelope(parseJson(await response.text())))
    return
  }
  const { path: saved } = await saveFile(
    line,
    {
      name: '',
      type: '',
      rows: null,
      stream: response.body ?? new ReadableStream({ start: (controller) => controller.close() }),
    },
    flags.output ?? '-',
    'answer',
  )
  if (saved !== '-') line.output.talk(t(line.locale, 'cli.tr.saved', { path: saved }))
}

/** `data` of an answer; what is none of the usual form, such as the description of the API, is left as it is. */
function openEnvelope(answer: unknown): unknown {
  const isUsual =
    typeof answer === 'object' && answer !== null && 'success' in answer && 'data' in answer
  return isUsual ? answer.data : answer
}

async function buildCall(
  { locale, server }: CommandLine,
  typed: string,
  path: string,
  { field, header, input }: ApiFlags,
): Promise<Call> {
  const method = methods.find((each) => each === typed.toUpperCase())
  if (method === undefined)
    throw usage(t(locale, 'cli.api.badMethod', { value: typed, known: methods.join(' ') }))
  const base = `${server}/api/`
  const url = URL.parse(path.replace(/^\/(?:api\/)?/, ''), base)
  // Never another server, to which the session would be sent.
  if (url === null || !url.href.startsWith(base))
    throw usage(t(locale, 'cli.api.badPath', { value: path }))
  const pairs = field.map((each) => readPair(each, '=', locale))
  const hasBody = method === 'POST' || method === 'PUT'
  if (!hasBody) {
    if (input !== undefined) throw usage(t(locale, 'cli.api.noBody', { method }))
    for (const [name, value] of pairs) url.searchParams.append(name, value)
  }
  const given = input === undefined ? undefined : await readText(input, locale)
  if (given !== undefined && pairs.length > 0) throw usage(t(locale, 'cli.api.oneBody'))
  const values = Object.fromEntries(pairs.map(([name, value]) => [name, readValue(value)]))
  return {
    method,
    url,
    headers: Object.fromEntries(header.map((each) => readPair(each, ':', locale))),
    body: hasBody ? (given ?? JSON.stringify(values)) : undefined,
  }
}

const usage = (message: string) => new CommandError(exitCodes.usage, message)

function readPair(text: string, mark: string, locale: CommandLine['locale']): [string, string] {
  const at = text.indexOf(mark)
  if (at < 1) throw usage(t(locale, 'cli.api.badPair', { value: text }))
  return [text.slice(0, at).trim(), text.slice(at + 1).trimStart()]
}

/** JSON where it is JSON (`5`, `true`, `null`, `[…]`), else the text. */
function readValue(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** @throws ApiProblem for a refusal, after a fresh proof where one is asked for */
async function sendCall(
  line: CommandLine,
  connection: Connection,
  call: Call,
  proof?: string,
): Promise<Response> {
  const credentials = await connection.authorise()
  let response: Response
  try {
    response = await fetch(call.url, {
      method: call.method,
      redirect: 'error',
      signal: line.signal,
      headers: {
        'accept-language': line.locale,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
        ...(credentials === undefined ? {} : { authorization: `bearer ${credentials.token}` }),
        ...(proof === undefined ? {} : { [proofHeader]: proof }),
      },
      ...(call.body === undefined ? {} : { body: call.body }),
    })
  } catch (error) {
    line.signal.throwIfAborted()
    throw isNetworkFailure(error) ? networkProblem() : error
  }
  if (response.ok) return response
  const refused = problemOfReply(response.status, readEnvelope(await response.text()))
  if (!(refused instanceof ApiProblem) || refused.problem.code !== proofNeededCode) throw refused
  const token = await askForProof(line, connection.api, refused)
  if (token === null || proof !== undefined) throw refused
  return await sendCall(line, connection, call, token)
}

function readEnvelope(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
