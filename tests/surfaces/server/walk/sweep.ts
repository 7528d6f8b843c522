import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { type Fixtures, parentTag } from '../fixtures.ts'

/**
 * Sends every call that needs a session without one and with an invalid one, and every call that
 * needs a right as a user without it; returns a line for each that succeeds.
 */
export async function sweepRefusals({ run }: Fixtures): Promise<string[]> {
  const { access } = (await run.helper('viewer')).tokens
  // The server may check the right or the body first; success or an internal error is a finding.
  const askers = [
    { who: 'somebody without a session', authorization: null, codes: [401] },
    { who: 'a made-up token', authorization: `bearer ${'0'.repeat(43)}`, codes: [401] },
    {
      who: 'somebody who may only look',
      authorization: `bearer ${access}`,
      codes: [403, 404, 422],
    },
  ]
  const lines: string[] = []
  for (const [name, endpoint] of privateCalls()) {
    const needsRight = endpoint.access.includes(':') && !endpoint.access.endsWith(':view')
    for (const { who, authorization, codes } of needsRight ? askers : askers.slice(0, 2)) {
      const { body, headers } = buildBody(endpoint)
      const answer = await run.wire.fetch(
        `${run.settings.url}/api${fillPathParams(endpoint.path)}${neededQueries[name] ?? ''}`,
        {
          method: endpoint.method,
          headers: { ...headers, ...(authorization === null ? {} : { authorization }) },
          ...(body === undefined ? {} : { body }),
        },
      )
      await answer.arrayBuffer()
      if (!codes.includes(answer.status)) lines.push(`${name}: ${answer.status} for ${who}`)
    }
  }
  return [...lines, ...run.wire.takeFaults()]
}

/** Without its query the address is another, public call. */
const neededQueries: Readonly<Record<string, string>> = {
  'description.entities': `?entities=${parentTag}`,
}

function privateCalls(): readonly (readonly [string, Endpoint])[] {
  return Object.entries(contract).flatMap(([group, endpoints]) =>
    Object.entries(endpoints as Readonly<Record<string, Endpoint>>)
      .filter(([, { access }]) => access !== 'public')
      .map(([call, endpoint]) => [`${group}.${call}`, endpoint] as const),
  )
}

function buildBody({ bodyKind, body }: Endpoint): {
  readonly body?: BodyInit
  readonly headers?: Record<string, string>
} {
  return body === undefined
    ? {}
    : bodyKind === 'json'
      ? { body: '{}', headers: { 'content-type': 'application/json' } }
      : { body: bodyKind === 'form' ? new URLSearchParams() : new FormData() }
}

function fillPathParams(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_hole, name: string) =>
    name === 'tag' || name === 'bizType' ? parentTag : name === 'name' ? 'nothing' : '1',
  )
}
