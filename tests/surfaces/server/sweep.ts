import { contract, type Endpoint } from '@jiaowu/api'
import { type Fixtures, parentTag } from './server-part.ts'

/** Every call of the contract that needs a session, asked without one and with a made-up one; and every call that needs a right, by somebody who has none: a line for each that is answered all the same. */
export async function sweepRefusals({ world }: Fixtures): Promise<string[]> {
  const { access: token } = (await world.helper('viewer')).tokens
  const lines: string[] = []
  const ask = async (
    name: string,
    endpoint: Endpoint,
    who: string,
    authorization: string | null,
    isRight: (status: number) => boolean,
  ) => {
    const { body, headers } = bodyOf(endpoint)
    const answer = await world.wire.fetch(`${world.settings.url}/api${fill(endpoint.path)}`, {
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
      // Whether the right or the body is looked at first is the server's matter; an answer, or a fault of its own, is neither.
      if (endpoint.access.includes(':') && !endpoint.access.endsWith(':view'))
        await ask(
          name,
          endpoint,
          'somebody who may only look',
          `bearer ${token}`,
          (status) => status === 403 || status === 404 || status === 422,
        )
    }
  return [...lines, ...world.wire.takeFaults()]
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
