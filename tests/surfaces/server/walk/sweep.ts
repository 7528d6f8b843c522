import { contract, type Endpoint } from '@jiaowu/api'
import { type Fixtures, parentTag } from '../server-part.ts'

/**
 * Sends every call that needs a session without one and with an invalid one, and every call that
 * needs a right as a user without it; returns a line for each that succeeds.
 */
export async function sweepRefusals({ run }: Fixtures): Promise<string[]> {
  const { access: token } = (await run.helper('viewer')).tokens
  const lines: string[] = []
  const ask = async (
    name: string,
    endpoint: Endpoint,
    who: string,
    authorization: string | null,
    isRight: (status: number) => boolean,
  ) => {
    const { body, headers } = bodyOf(endpoint)
    const answer = await run.wire.fetch(`${run.settings.url}/api${fill(endpoint.path)}`, {
      method: endpoint.method,
      headers: { ...headers, ...(authorization === null ? {} : { authorization }) },
      ...(body === undefined ? {} : { body }),
    })
    await answer.arrayBuffer()
    if (!isRight(answer.status)) lines.push(`${name}: ${answer.status} for ${who}`)
  }
  for (const [group, endpoints] of Object.entries(contract))
    for (const [call, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      const name = `${group}.${call}`
      if (endpoint.access === 'public') continue
      await ask(name, endpoint, 'somebody without a session', null, (status) => status === 401)
      await ask(
        name,
        endpoint,
        'a made-up token',
        `bearer ${'0'.repeat(43)}`,
        (status) => status === 401,
      )
      // The server may check the right or the body first; success or an internal error is a
      // finding.
      if (endpoint.access.includes(':') && !endpoint.access.endsWith(':view'))
        await ask(
          name,
          endpoint,
          'somebody who may only look',
          `bearer ${token}`,
          (status) => status === 403 || status === 404 || status === 422,
        )
    }
  return [...lines, ...run.wire.takeFaults()]
}

function bodyOf({ bodyKind, body }: Endpoint): {
  readonly body?: BodyInit
  readonly headers?: Record<string, string>
} {
  return body === undefined
    ? {}
    : bodyKind === 'json'
      ? { body: '{}', headers: { 'content-type': 'application/json' } }
      : { body: bodyKind === 'form' ? new URLSearchParams() : new FormData() }
}

function fill(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_hole, name: string) =>
    name === 'tag' || name === 'bizType' ? parentTag : name === 'name' ? 'nothing' : '1',
  )
}
