import type { MachineName } from '../../machines/registry.ts'

type Go = (request: Request) => Promise<Response>
type Json = Record<string, unknown>

/**
 * A server with one fault: the proxy that causes it, the paths that must notice, and what they must
 * report.
 */
export interface MutantServer {
  readonly name: string
  readonly machine: MachineName
  readonly part: string
  readonly says: RegExp
  answer(request: Request, go: Go): Promise<Response>
}
const data = (body: Json): Json => body.data as Json
const rows = (body: Json): readonly Json[] => data(body).records as readonly Json[]
const pagePath = /\/data\/page$/,
  rowPath = /\/data\/[\d,]+$/

export const mutantServers: readonly MutantServer[] = [
  {
    name: 'counts one row too many',
    machine: 'entityList',
    part: 'size',
    says: /total: expected 12, the server gave 13/,
    answer: changed('POST', pagePath, (body, status) =>
      status === 200
        ? { ...body, data: { ...data(body), total: Number(data(body).total) + 1 } }
        : null,
    ),
  },
  {
    name: 'leaves a field of the page out',
    machine: 'entityList',
    part: 'size',
    says: /entityData\.page\): size: Invalid key/,
    answer: changed('POST', pagePath, (body, status) => {
      if (status !== 200) return null
      const { size: _size, ...rest } = data(body)
      return { ...body, data: rest }
    }),
  },
  {
    name: 'answers with a field that the contract does not have',
    machine: 'lookup',
    part: 'lookup',
    says: /records\[\]\.internal: not in the contract/,
    answer: changed('POST', /\/dicts\/page$/, (body, status) =>
      status === 200
        ? {
            ...body,
            data: { ...data(body), records: rows(body).map((row) => ({ ...row, internal: 1 })) },
          }
        : null,
    ),
  },
  {
    name: 'answers with a column that is no field',
    machine: 'entityList',
    part: 'size',
    says: /: no field of the entity/,
    answer: changed('POST', pagePath, (body, status) =>
      status === 200
        ? {
            ...body,
            data: { ...data(body), records: rows(body).map((row) => ({ ...row, facultyId: '1' })) },
          }
        : null,
    ),
  },
  {
    name: 'sorts in the opposite direction',
    machine: 'entityList',
    part: 'pages',
    says: /rows: expected \[/,
    answer: changed('POST', pagePath, (body, status) =>
      status === 200
        ? { ...body, data: { ...data(body), records: rows(body).toReversed() } }
        : null,
    ),
  },
  {
    name: 'answers 200 to a stale write',
    machine: 'entityForm',
    part: 'stale',
    says: /expected refused 40900, the server gave an answer/,
    answer: changed(
      'PUT',
      rowPath,
      (body, status) => (status === 409 ? { ...body, success: true, code: 200, msg: 'ok' } : null),
      200,
    ),
  },
  {
    name: 'gives the wrong code to a stale write',
    machine: 'entityForm',
    part: 'stale',
    says: /expected refused 40900, the server gave refused 409/,
    answer: changed('PUT', rowPath, (body, status) =>
      status === 409 ? { ...body, code: 409 } : null,
    ),
  },
  {
    name: 'leaves out the row that stands after a stale write',
    machine: 'entityForm',
    part: 'stale',
    says: /data: the row that stands/,
    answer: changed('PUT', rowPath, (body, status) =>
      status === 409 ? { ...body, data: null } : null,
    ),
  },
  {
    name: 'does not store what it reports as saved',
    machine: 'entityForm',
    part: 'stale',
    says: /the row as others read it/,
    answer: async (request, go) => {
      if (!isCall(request, 'PUT', rowPath)) return go(request)
      const sent = (await request.clone().json()) as Json
      const now = await go(new Request(request.url, { headers: request.headers })),
        body = (await now.clone().json()) as Json
      return again(
        { ...body, data: { ...data(body), ...sent, version: `${String(data(body).version)}0` } },
        now,
      )
    },
  },
  {
    name: 'does not name the field at fault',
    machine: 'entityForm',
    part: 'add',
    says: /expected invalid 42200/,
    answer: changed('POST', /\/data$/, (body, status) =>
      status === 422 ? { ...body, data: null } : null,
    ),
  },
  {
    name: 'checks no rights',
    machine: 'entityList',
    part: 'export',
    says: /expected refused 403, the server gave an answer/,
    // Treats every caller as the first who asked successfully.
    answer: (() => {
      let trusted: string | null = null
      return async (request: Request, go: Go) => {
        const own = request.headers.get('authorization')
        const response = await go(request)
        if (response.status !== 403 || trusted === null) {
          if (response.ok && isCall(request, 'POST', /\/export$/)) trusted = own
          return response
        }
        const headers = new Headers(request.headers)
        headers.set('authorization', trusted)
        return go(new Request(request, { headers }))
      }
    })(),
  },
  {
    name: 'reports more deleted rows than requested',
    machine: 'entityList',
    part: 'rows',
    says: /deleted: expected 1, the server gave 2/,
    answer: changed('DELETE', rowPath, (body, status) =>
      status === 200 ? { ...body, data: { deleted: Number(data(body).deleted) + 1 } } : null,
    ),
  },
  {
    name: 'answers a refusal with an HTML page',
    machine: 'printPreview',
    part: 'printPreview',
    says: /404 is not JSON but text\/html/,
    answer: async (request, go) => {
      const response = await go(request)
      return isCall(request, 'POST', /\/print\/getPrintHttpURL$/) && response.status === 404
        ? new Response('<!doctype html><h1>Not found</h1>', {
            status: 404,
            headers: { 'content-type': 'text/html' },
          })
        : response
    },
  },
  {
    name: 'reports columns of a list as stored without storing them',
    machine: 'views',
    part: 'columns',
    says: /columns as they are read elsewhere: expected \[/,
    answer: async (request, go) => {
      if (!isCall(request, 'PUT', /\/layout$/)) return go(request)
      const sent = (await request.clone().json()) as Json,
        body = { columns: null }
      const response = await go(
        new Request(request.url, {
          method: 'PUT',
          headers: request.headers,
          body: JSON.stringify(body),
        }),
      )
      return again({ ...((await response.clone().json()) as Json), data: sent }, response)
    },
  },
  {
    name: 'answers a stale view without the present views',
    machine: 'views',
    part: 'changing',
    says: /data: the views that stand: expected \{.*the server gave null/,
    answer: changed('PUT', /\/views\/\d+$/, (body, status) =>
      status === 409 ? { ...body, data: null } : null,
    ),
  },
  {
    name: 'opens the list with another view than was chosen',
    machine: 'views',
    part: 'star',
    says: /what the list opens with: expected "plain", the server gave "shared"/,
    answer: changed('PUT', /\/opens$/, (body, status) =>
      status === 200 && data(body).opens === 'plain'
        ? { ...body, data: { ...data(body), opens: 'shared' } }
        : null,
    ),
  },
  {
    name: 'loses the last line of a sheet',
    machine: 'entityList',
    part: 'export',
    says: /lines of the sheet: expected 13, the server gave 12/,
    answer: async (request, go) => {
      const response = await go(request)
      return isCall(request, 'POST', /\/export$/) && response.ok
        ? again((await response.text()).trim().split('\n').slice(0, -1).join('\n'), response)
        : response
    },
  },
]

/** Changes the body or status of the answers to one call. */
function changed(
  method: string,
  path: RegExp,
  change: (body: Json, status: number) => Json | null,
  status?: number,
): MutantServer['answer'] {
  return async (request, go) => {
    if (!isCall(request, method, path)) return go(request)
    const response = await go(request),
      body = (await response.clone().json()) as Json
    const next = change(body, response.status)
    return next === null ? response : again(next, response, status)
  }
}

function isCall(request: Request, method: string, path: RegExp): boolean {
  return request.method === method && path.test(new URL(request.url).pathname)
}

function again(
  body: unknown,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  now = status,
): Response {
  const kept = new Headers(headers)
  kept.delete('content-length')
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status: now,
    headers: kept,
  })
}
