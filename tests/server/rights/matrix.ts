// Makes one call as one subject and compares status, rows and fields with the table of rights.
import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import type { Aim, Answer, Right } from './aims.ts'
import { rights } from './table/table.ts'
import { codesOf, type RouteName } from './world.ts'
import { type Subject, subjects, type World } from './world-types.ts'

export interface Cell {
  readonly route: RouteName
  readonly aim: string
  readonly subject: Subject
  /** `entityData.get (a row outside of their rows) as rows` */
  readonly name: string
}

/** A cell for every route, aim and subject. */
export const cells: readonly Cell[] = (Object.keys(rights) as RouteName[]).flatMap((route) =>
  Object.keys(rights[route].aims).flatMap((aim) =>
    subjects.map((subject) => ({
      route,
      aim,
      subject,
      name: `${route}${aim === '' ? '' : ` (${aim})`} as ${subject}`,
    })),
  ),
)

/** The status that the table asks for. */
function expectStatus(
  route: RouteName,
  { right, denied = 403 }: { right: Right; denied?: number },
  { ok }: Aim,
  who: Subject,
): number {
  if (isTooEarly(route, right, who) || isClosedToPrograms(route, right, who)) return 403
  if (!allows(right, who)) return who === 'nobody' ? 401 : denied
  return typeof ok === 'number' ? ok : (ok[who] ?? ok.all)
}

/** Before a new password only calls of the session are open. */
function isTooEarly(route: RouteName, right: Right, who: Subject): boolean {
  return who === 'renewing' && right !== 'anyone' && !route.startsWith('session.')
}

/** Programs do what the rights of their token open on rows, and nothing that needs the person. */
function isClosedToPrograms(route: RouteName, right: Right, who: Subject): boolean {
  if (who !== 'token' || right === 'anyone' || route === 'session.whoami') return false
  if (['entityData.reveal', 'entityData.lookupForm'].includes(route)) return true
  return !/^(entityData|history|tree|agent)\.|^proposals\.(propose|list|read)$/.test(route)
}

function allows(right: Right, who: Subject): boolean {
  if (right === 'anyone') return true
  if (who === 'nobody') return false
  if (right === 'signed') return true
  if (right === 'student') return who === 'student'
  if (who === 'student') return false
  const codes = codesOf[who] ?? []
  return right === 'staff' || codes.includes('*') || codes.includes(right.code)
}

/** Null, or what differs from the table. */
export async function difference(
  world: World,
  { route, aim, subject }: Cell,
): Promise<string | null> {
  const row = rights[route]
  const found = row.aims[aim]
  if (found === undefined) return 'no such aim'
  const right = found.right ?? row.right
  const wanted = expectStatus(route, { ...row, right }, found, subject)
  // A refused caller changes nothing, so that all of them can aim at the same rows.
  const answer = await call(
    allows(right, subject) ? world : withSharedRows(world),
    route,
    found,
    subject,
  )
  if (answer.status !== wanted)
    return `${wanted} was expected, ${answer.status} came: ${answer.text.slice(0, 200)}`
  return answer.status < 300 ? (found.answers?.(answer, subject) ?? null) : null
}

async function call(world: World, route: RouteName, aim: Aim, subject: Subject): Promise<Answer> {
  const [group, name] = route.split('.') as [keyof typeof contract, string]
  const endpoint = (contract[group] as Readonly<Record<string, Endpoint>>)[name] as Endpoint
  const sent = (await aim.send?.(world, subject)) ?? {}
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_hole, key: string) =>
    encodeURIComponent(sent.params?.[key] ?? (key === 'tag' ? 'EDU_STUDENT' : '1')),
  )
  const query = endpoint.query === undefined ? '' : new URLSearchParams(sent.query).toString()
  const token = world.tokens[subject]
  const headers: Record<string, string> = token === null ? {} : { authorization: `bearer ${token}` }
  // The limit of calls is counted by the server's clock.
  world.app.advance(200)
  const response = await world.app.call(`${path}${query === '' ? '' : `?${query}`}`, {
    method: endpoint.method,
    ...buildRequestBody(endpoint, sent.body, headers),
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    data: parseDataOrNull(text),
    lines: parseNdjson(text),
    sent,
  }
}

function buildRequestBody(
  endpoint: Endpoint,
  body: unknown,
  headers: Record<string, string>,
): RequestInit {
  if (endpoint.body === undefined) return { headers }
  if (endpoint.bodyKind === 'multipart') {
    const form = new FormData()
    for (const [key, value] of Object.entries(body ?? {})) form.append(key, value as string | Blob)
    if (body === undefined) form.append('none', '')
    return { headers, body: form }
  }
  return endpoint.bodyKind === 'form'
    ? { headers, body: new URLSearchParams((body ?? {}) as Record<string, string>) }
    : {
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      }
}

function parseDataOrNull(text: string): unknown {
  try {
    return (JSON.parse(text) as { data: unknown }).data
  } catch {
    return null
  }
}

function parseNdjson(text: string): Record<string, unknown>[] {
  try {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  } catch {
    return []
  }
}

const shared = new WeakMap<World, World>()

/** The world with rows that are made once instead of for each call. */
function withSharedRows(world: World): World {
  const known = shared.get(world)
  if (known !== undefined) return known
  const made = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const found = made.get(key) ?? make()
    made.set(key, found)
    return found as Promise<T>
  }
  const mine: World = {
    ...world,
    student: (reach) => once(`student ${reach}`, () => world.student(reach)),
    deletedStudent: (reach) => once(`deleted ${reach}`, () => world.deletedStudent(reach)),
    file: (reach) => once(`file ${reach}`, () => world.file(reach)),
    account: () => once('account', world.account),
    session: () => once('session', world.session),
    item: () => once('item', world.item),
    refund: () => once('refund', world.refund),
    discrepancy: (state) => once(`discrepancy ${state}`, () => world.discrepancy(state)),
    document: () => once('document', world.document),
    organisation: () => once('organisation', world.organisation),
  }
  shared.set(world, mine)
  return mine
}
