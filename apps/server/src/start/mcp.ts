// `/api/mcp`: tools for agents over HTTP, for programs with a token (docs/agents.md). Every message is answered by
// itself, so that any server of a school answers the next one.
import { createAgentServer } from '@jiaowu/api/agent/server'
import { createClient } from '@jiaowu/api/client/client'
import { parseJson } from '@jiaowu/api/exact-json'
import { limits } from '@jiaowu/api/limits'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { isApiToken } from '../identity/api-tokens.ts'
import type { Caller } from '../platform/requests/caller.ts'
import { Refusal } from '../platform/refusal.ts'
import { version } from '../platform/version.ts'

type Known = Parameters<typeof createAgentServer>[1]

export const mcpPath = '/api/mcp'

/** Answers a call of the API that a tool makes, with all checks of a call from outside. */
type AnswerApi = (request: Request, caller: Caller) => Response | Promise<Response>

/** @throws Refusal 401 without a token for programs */
export async function answerMcp(
  request: Request,
  caller: Caller,
  answerApi: AnswerApi,
): Promise<Response> {
  caller.declaredPath = '/mcp'
  const token = /^bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!isApiToken(token)) throw new Refusal(401, { key: 'problem.pleaseLogin' })
  const { origin } = new URL(request.url)
  const headers = { authorization: `bearer ${token}`, 'accept-language': caller.locale }
  // Reads who calls, which counts against the rate of the token.
  const first = await answerApi(new Request(`${origin}/api/agent/entity`, { headers }), caller)
  if (!first.ok) return first
  const api = createClient({
    baseURL: `${origin}/api`,
    locale: () => caller.locale,
    authorise: () => Promise.resolve({ token, account: '', accountId: '' }),
    fetch: async (url, init) => await answerApi(new Request(url, init), caller),
  })
  const { data: known } = parseJson(await first.text()) as { data: Known }
  const handler = createMcpHandler(() => createAgentServer(api, known, version), {
    maxSubscriptions: 0,
    maxRequestBodySize: limits.jsonBytes,
  })
  return await handler.fetch(request)
}
