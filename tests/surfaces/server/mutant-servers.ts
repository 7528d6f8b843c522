import type { MachineName } from '../../machines/registry.ts'

type Go = (request: Request) => Promise<Response>
type Json = Record<string, unknown>
type Answer = (request: Request, go: Go) => Promise<Response>

/**
 * A server with one fault: the proxy that causes it, the paths that must notice, and what they must
 * report.
 */
export interface MutantServer {
  readonly name: string
  readonly machine: MachineName
  readonly part: string
  readonly says: RegExp
  readonly answer: Answer
}

/** The answers that several faults change. */
const page = answerTo('POST', /\/data\/page$/, 200),
  stale = answerTo('PUT', /\/data\/[\d,]+$/, 409)

export const mutantServers: readonly MutantServer[] = [
  {
    name: 'counts one row too many',
    ...noticedBy('entityList', 'size', /total: expected 12, the server gave 13/),
    answer: page(inData((data) => ({ ...data, total: Number(data.total) + 1 }))),
  },
  {
    name: 'leaves a field of the page out',
    ...noticedBy('entityList', 'size', /entityData\.page\): size: Invalid key/),
    answer: page(inData(({ size: _size, ...rest }) => rest)),
  },
  {
    name: 'answers with a field that the contract does not have',
    ...noticedBy('lookup', 'lookup', /records\[\]\.internal: not in the contract/),
    answer: answerTo('POST', /\/dicts\/page$/, 200)(inRows((row) => ({ ...row, internal: 1 }))),
  },
  {
    name: 'answers with a column that is no field',
    ...noticedBy('entityList', 'size', /: no field of the entity/),
    answer: page(inRows((row) => ({ ...row, facultyId: '1' }))),
  },
  {
    name: 'sorts in the opposite direction',
    ...noticedBy('entityList', 'pages', /rows: expected \[/),
    answer: page(inData((data) => ({ ...data, records: rowsIn(data).toReversed() }))),
  },
  {
    name: 'answers 200 to a stale write',
    ...noticedBy('entityForm', 'stale', /expected refused 40900, the server gave an answer/),
    answer: stale((body) => ({ ...body, success: true, code: 200, msg: 'ok' }), 200),
  },
  {
    name: 'gives the wrong code to a stale write',
    ...noticedBy('entityForm', 'stale', /expected refused 40900, the server gave refused 409/),
    answer: stale((body) => ({ ...body, code: 409 })),
  },
  {
    name: 'leaves out the row that stands after a stale write',
    ...noticedBy('entityForm', 'stale', /data: the row that stands/),
    answer: stale((body) => ({ ...body, data: null })),
  },
  {
    name: 'does not store what it reports as saved',
    ...noticedBy('entityForm', 'stale', /the row as others read it/),
    answer: replaceAnswer('PUT', /\/data\/[\d,]+$/, async (request, go) => {
      const sent = (await request.clone().json()) as Json
      const now = await go(new Request(request.url, { headers: request.headers })),
        body = (await now.clone().json()) as Json
      const saved = (data: Json) => ({ ...data, ...sent, version: `${String(data.version)}0` })
      return again(inData(saved)(body), now)
    }),
  },
  {
    name: 'does not name the field at fault',
    ...noticedBy('entityForm', 'add', /expected invalid 42200/),
    answer: answerTo('POST', /\/data$/, 422)((body) => ({ ...body, data: null })),
  },
  {
    name: 'checks no rights',
    ...noticedBy('entityList', 'export', /expected refused 403, the server gave an answer/),
    answer: trustingTheLast(),
  },
  {
    name: 'reports more deleted rows than requested',
    ...noticedBy('entityList', 'rows', /deleted: expected 1, the server gave 2/),
    answer: answerTo(
      'DELETE',
      /\/data\/[\d,]+$/,
      200,
    )(inData(({ deleted }) => ({ deleted: Number(deleted) + 1 }))),
  },
  {
    name: 'answers a refusal with an HTML page',
    ...noticedBy('printPreview', 'printPreview', /404 is not JSON but text\/html/),
    answer: replaceAnswer('POST', /\/print\/getPrintHttpURL$/, async (request, go) => {
      const response = await go(request)
      if (response.status !== 404) return response
      const headers = { 'content-type': 'text/html' }
      return new Response('<!doctype html><h1>Not found</h1>', { status: 404, headers })
    }),
  },
  {
    name: 'reports columns of a list as stored without storing them',
    ...noticedBy('views', 'columns', /columns as they are read elsewhere: expected \[/),
    answer: replaceAnswer('PUT', /\/layout$/, async (request, go) => {
      const sent = (await request.clone().json()) as Json,
        body = JSON.stringify({ columns: null })
      const response = await go(
        new Request(request.url, { method: 'PUT', headers: request.headers, body }),
      )
      return again({ ...((await response.clone().json()) as Json), data: sent }, response)
    }),
  },
  {
    name: 'answers a stale view without the present views',
    ...noticedBy(
      'views',
      'changing',
      /data: the views that stand: expected \{.*the server gave null/,
    ),
    answer: answerTo('PUT', /\/views\/\d+$/, 409)((body) => ({ ...body, data: null })),
  },
  {
    name: 'opens the list with another view than was chosen',
    ...noticedBy(
      'views',
      'star',
      /what the list opens with: expected "plain", the server gave "shared"/,
    ),
    answer: answerTo(
      'PUT',
      /\/opens$/,
      200,
    )(inData((data) => (data.opens === 'plain' ? { ...data, opens: 'shared' } : data))),
  },
  {
    name: 'loses the last line of a sheet',
    ...noticedBy('entityList', 'export', /lines of the sheet: expected 13, the server gave 12/),
    answer: replaceAnswer('POST', /\/export$/, async (request, go) => {
      const response = await go(request)
      if (!response.ok) return response
      const lines = (await response.text()).trim().split('\n')
      return again(lines.slice(0, -1).join('\n'), response)
    }),
  },
]

function noticedBy(machine: MachineName, part: string, says: RegExp) {
  return { machine, part, says }
}

/** Another answer to one call; the other calls go through. */
function replaceAnswer(method: string, path: RegExp, answer: Answer): Answer {
  return (request, go) => (isCall(request, method, path) ? answer(request, go) : go(request))
}

function isCall(request: Request, method: string, path: RegExp): boolean {
  return request.method === method && path.test(new URL(request.url).pathname)
}

/** Changes the body, and the status if given, of the answers to one call that have a status. */
function answerTo(method: string, path: RegExp, status: number) {
  return (change: (body: Json) => Json, newStatus?: number): Answer =>
    replaceAnswer(method, path, async (request, go) => {
      const response = await go(request)
      if (response.status !== status) return response
      return again(change((await response.clone().json()) as Json), response, newStatus)
    })
}

function inData(change: (data: Json) => Json): (body: Json) => Json {
  return (body) => ({ ...body, data: change(body.data as Json) })
}

function inRows(change: (row: Json) => Json): (body: Json) => Json {
  return inData((data) => ({ ...data, records: rowsIn(data).map(change) }))
}

function rowsIn({ records }: Json): readonly Json[] {
  return records as readonly Json[]
}

/** Treats every caller who is refused as the last who exported a sheet. */
function trustingTheLast(): Answer {
  let trusted: string | null = null
  return async (request, go) => {
    const response = await go(request)
    if (response.ok && isCall(request, 'POST', /\/export$/))
      trusted = request.headers.get('authorization')
    if (response.status !== 403 || trusted === null) return response
    const headers = new Headers(request.headers)
    headers.set('authorization', trusted)
    return go(new Request(request, { headers }))
  }
}

function again(
  body: unknown,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  now = status,
): Response {
  const kept = new Headers(headers)
  kept.delete('content-length')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(text, { status: now, headers: kept })
}
