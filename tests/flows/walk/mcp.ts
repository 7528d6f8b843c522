// Paths over MCP: the agent of each person reads the case and proposes the decision, and the person confirms it.
// Students, who have no tokens, call as in `buildApiSurface`.
import type { Api } from '../../support/student.ts'
import type { WalkSchool } from './school.ts'
import { buildApiSurface, type FlowSurface, type WalkedCase } from './walk.ts'

/** @param url of the server, with `LIMIT_TOKEN_CALLS` above what a walk calls */
export async function buildAgentSurface(url: string, school: WalkSchool): Promise<FlowSurface> {
  const byCalls = buildApiSurface(school)
  const tokens = new Map<string, string>()
  for (const [account, api] of school.apis) {
    const token = account === 'student' ? null : await makeToken(school, api)
    if (token !== null) tokens.set(account, token)
  }
  const isProgram = ({ account }: WalkedCase) => !tokens.has(account)
  const callTool = async ({ account }: WalkedCase, name: string, args: object) =>
    await callAgentTool(`${url}/api/mcp`, tokens.get(account) ?? '', name, args)
  return {
    nameOffer: byCalls.nameOffer,
    look: async (seen, state, flow) => {
      if (isProgram(seen)) return await byCalls.look(seen, state, flow)
      const { tag, id } = seen
      const found = (await callTool(seen, 'read_case', { tag, id })) as {
        readonly state: string
        readonly can: readonly { readonly event: string }[]
      }
      return { offers: found.can.map(({ event }) => event), isAt: found.state === state }
    },
    send: async (sent, offer, note) => {
      if (isProgram(sent)) return await byCalls.send(sent, offer, note)
      const { account, tag, id } = sent
      const args = { tag, id, event: offer.name, ...(note !== undefined && { note }) }
      const proposal = (await callTool(sent, 'propose_decision', args)) as {
        readonly id: string
        readonly digest: string
        readonly count: number
      }
      const { digest, count } = proposal
      await school.apis
        .get(account)
        ?.proposals.confirm({ params: { id: proposal.id }, body: { digest, count } })
    },
  }
}

/** A token for the flows that the person takes part in. */
async function makeToken({ flows }: WalkSchool, api: Api): Promise<string | null> {
  const known = await api.agent.entities({})
  const entities = flows.flatMap(({ tag }) =>
    known.some((entity) => entity.tag === tag && entity.can.includes('decide')) ? [tag] : [],
  )
  if (entities.length === 0) return null
  const body = { name: '审批代理', entities, rights: ['read' as const, 'decide' as const], days: 1 }
  return (await api.apiToken.create({ body })).token
}

let calls = 0
async function callAgentTool(
  url: string,
  token: string,
  name: string,
  args: object,
): Promise<unknown> {
  calls += 1
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: calls,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
  const text = await response.text()
  const line = text.split('\n').find((each) => each.startsWith('data:'))
  const { result } = JSON.parse(line?.slice(5) ?? text) as {
    readonly result?: { readonly structuredContent: { readonly data?: unknown } }
  }
  const data = result?.structuredContent.data
  if (data === undefined) throw new Error(`${name}: ${text}`)
  return data
}
