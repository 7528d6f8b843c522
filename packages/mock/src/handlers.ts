import { type contract as Contract, contract } from '@jiaowu/api/contract/contract'
import type { Endpoint, Handled, Method, Received } from '@jiaowu/api/endpoint'
import { parseJson } from '@jiaowu/api/exact-json'
import { http, HttpResponse, type RequestHandler } from 'msw'
import * as v from 'valibot'
import { type ErrorReply, refuseWith, Refused } from './refused.ts'

/** Facts that an answer may read besides its parsed input. */
export interface MockRequest {
  readonly request: Request
  /** The bearer token; empty when signed out. */
  readonly token: string
}

type All = typeof Contract
/** Answers by group and call. */
export type Answers = {
  readonly [G in keyof All]?: {
    readonly [E in keyof All[G]]?: (
      input: Received<All[G][E]>,
      mock: MockRequest,
    ) => Promise<Handled<All[G][E]>> | Handled<All[G][E]>
  }
}

type AnyAnswer = (input: unknown, mock: MockRequest) => unknown
/** Answers a call without an answer of its own. `name`: group and call, for example `tag.list`. */
export type Otherwise = (name: string, mock: MockRequest) => unknown
interface Route {
  readonly name: string
  readonly endpoint: Endpoint
  readonly answer: AnyAnswer
}

/**
 * One handler per call of the contract, literal paths before paths with parameters, as the server routes them.
 * @param base where the API stands, for example `* /api` without the blank (any origin)
 * @param otherwise answers the calls that `answers` leaves out; by default they respond 501
 */
export function contractHandlers(
  answers: Answers,
  base = '*/api',
  otherwise: Otherwise = noAnswer,
): RequestHandler[] {
  return buildRoutes(answers, otherwise)
    .toSorted((a, b) => parameterCount(a) - parameterCount(b))
    .map((route) =>
      register[route.endpoint.method](
        base + route.endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        ({ request, params }) => respond(route, request, params),
      ),
    )
}

const register = {
  GET: http.get,
  POST: http.post,
  PUT: http.put,
  DELETE: http.delete,
} as const satisfies Record<Method, unknown>

function noAnswer(name: string): never {
  return refuseWith({ status: 501, msg: `${name} has no answer here` })
}

function buildRoutes(answers: Answers, otherwise: Otherwise): Route[] {
  const given = answers as Readonly<Record<string, Readonly<Record<string, AnyAnswer>> | undefined>>
  return Object.entries(contract).flatMap(([group, calls]) =>
    Object.entries(calls as Readonly<Record<string, Endpoint>>).map(([call, endpoint]) => {
      const name = `${group}.${call}`
      const answer: AnyAnswer = given[group]?.[call] ?? ((_input, mock) => otherwise(name, mock))
      return { name, endpoint, answer }
    }),
  )
}

function parameterCount({ endpoint }: Route): number {
  return endpoint.path.split('{').length
}

async function respond(
  { name, endpoint, answer }: Route,
  request: Request,
  params: Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<Response | undefined> {
  const authorization = request.headers.get('authorization') ?? ''
  // Another call of the same path answers callers with a session.
  if (endpoint.anonymous && authorization !== '') return undefined
  const token = authorization.replace(/^bearer /, '')
  try {
    const input = await parseRequest(endpoint, request, params)
    const output = await answer(input, { request, token })
    return output instanceof Response
      ? output
      : envelope(endpoint, checkAnswer(name, endpoint, output))
  } catch (error) {
    if (error instanceof Refused) return replyRefusal(error.reply)
    throw error
  }
}

/** Path, query and body, each parsed with the call's schema. @throws Refused 422 */
async function parseRequest(
  endpoint: Endpoint,
  request: Request,
  params: Readonly<Record<string, string | readonly string[] | undefined>>,
) {
  const { ts: _ts, ...query } = Object.fromEntries(new URL(request.url).searchParams)
  return {
    params: Object.fromEntries(
      Object.entries(params).map(([key, value]) => [key, decodeURIComponent(String(value))]),
    ),
    query: endpoint.query === undefined ? undefined : parseWithSchema(endpoint.query, query),
    body:
      endpoint.body === undefined
        ? undefined
        : parseWithSchema(endpoint.body, await readRequestBody(endpoint, request)),
  }
}

function parseWithSchema(schema: v.GenericSchema<unknown, unknown>, value: unknown): unknown {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const issues = result.issues.map((issue) => ({
    path: (issue.path ?? []).map(({ key }) => String(key)).join('.'),
    rule: 'value',
    msg: issue.message,
  }))
  throw new Refused({ status: 422, code: 42_200, msg: 'invalid input', data: { issues } })
}

/** The body in the form that its media type names, as the server reads it. */
async function readRequestBody({ bodyKind }: Endpoint, request: Request): Promise<unknown> {
  if (bodyKind === 'multipart') return Object.fromEntries(await request.formData())
  const type = request.headers.get('content-type') ?? ''
  return bodyKind === 'form' || type.startsWith('application/x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(await request.text()))
    : await request.text().then((text): unknown => parseJson(text))
}

/** @throws Error naming the call and the first fault when an answer breaks the contract */
function checkAnswer(name: string, { answer }: Endpoint, output: unknown): unknown {
  if (answer === null) throw new Error(`${name} answers a file: return a Response`)
  const result = v.safeParse(answer, output)
  if (result.success) return output
  const [issue] = result.issues
  const path = (issue.path ?? []).map(({ key }) => String(key)).join('.')
  throw new Error(
    `the answer of ${name} breaks the contract at ${path || 'its root'}: ${issue.message}`,
  )
}

function envelope({ flat }: Endpoint, data: unknown): Response {
  return HttpResponse.json({
    ...(flat && (data as object)),
    success: true,
    code: 200,
    msg: 'ok',
    data: data ?? null,
    traceId: 'mock',
  })
}

function replyRefusal({ status, code = status, msg = '', data = null }: ErrorReply): Response {
  return HttpResponse.json({ success: false, code, msg, data, traceId: 'mock' }, { status })
}
