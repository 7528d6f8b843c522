// Calls of tools over MCP, as an agent makes them (docs/agents.md).
import { ApiProblem } from '@jiaowu/api/problem'
import { defaultTenant } from '@jiaowu/api/limits'
import type { TestApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'

export type Person = Awaited<ReturnType<TestApp['signIn']>>
type Right = 'read' | 'write' | 'delete' | 'decide'

export interface Proposed {
  readonly id: string
  readonly digest: string
  readonly count: number
}

export async function makeToken(
  person: Person,
  entities: readonly string[],
  rights: readonly Right[],
): Promise<string> {
  const { token } = await person.apiToken.create({
    body: { name: '排课代理', entities: [...entities], rights: [...rights], days: 30 },
  })
  return token
}

let calls = 0
export async function sendMessage(
  app: TestApp,
  token: string,
  method: string,
  params: object,
): Promise<Response> {
  // The rate of a token is not what is tried here.
  app.advance(2_000)
  calls += 1
  return await app.call('/mcp', {
    method: 'POST',
    headers: {
      authorization: `bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: calls, method, params }),
  })
}

/** The text of the answer, whatever it is. */
export async function callTool(
  app: TestApp,
  token: string,
  name: string,
  args: unknown,
): Promise<string> {
  const response = await sendMessage(app, token, 'tools/call', { name, arguments: args })
  return await response.text()
}

interface Structured {
  readonly data?: Record<string, unknown>
  readonly code?: number
  readonly issues?: readonly unknown[]
}

/** The structured content of the answer, refusals too. */
export async function askTool(
  app: TestApp,
  token: string,
  name: string,
  args: unknown,
): Promise<Structured> {
  const text = await callTool(app, token, name, args)
  const line = text.split('\n').find((each) => each.startsWith('data:'))
  const { result } = JSON.parse(line?.slice(5) ?? text) as {
    readonly result: { readonly structuredContent: Structured }
  }
  return result.structuredContent
}

/** The data of an answer that is no refusal. */
export async function readTool(app: TestApp, token: string, name: string, args: unknown) {
  const answer = await askTool(app, token, name, args)
  if (answer.data === undefined) throw new Error(JSON.stringify(answer))
  return answer.data
}

export async function captureRefusal(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiProblem)) throw new Error(`no refusal: ${String(error)}`)
  return error.problem
}

/** A grade that the teacher of the demonstration may have corrected, and its secretary decides on. */
export async function findOwnGrade(app: TestApp): Promise<{ id: string; score: number }> {
  const { rows } = await sql<{ id: string; score: number }>`
    select g.id::text as id, g.score::float8 as score
    from biz.grade g join biz.course c on c.tenant_id = g.tenant_id and c.id = g.course_id
    join sys.app_user t on t.tenant_id = g.tenant_id and t.account = 'teacher' and t.person_id = c.teacher_id::text
    join sys.app_user s on s.tenant_id = g.tenant_id and s.account = 'secretary'
    where g.tenant_id = ${defaultTenant}::int8 and g.org_id = s.org_id
    order by g.id limit 1`.execute(app.services.database.kysely)
  const [found] = rows
  if (found === undefined) throw new Error('the demonstration has no such grade')
  return found
}
