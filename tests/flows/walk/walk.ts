// Walks every path through a flow on a surface: it offers what the machine offers, leads where the machine leads,
// and changes the row that the effect is about at the decision and not before (docs/rules/contract.md#flows).
import { applicantId } from '@jiaowu/machines/flow/explore'
import {
  compileFlow,
  type FlowCase,
  type FlowOffer,
  listOffers,
  readStateKey,
} from '@jiaowu/machines/flow/flow'
import { type FlowPath, listFlowPaths } from '@jiaowu/machines/flow/paths'
import type { FlowPerson } from '@jiaowu/machines/flow/people'
import type { WalkedFlow, WalkSchool } from './school.ts'

export interface WalkedCase {
  readonly account: string
  readonly tag: string
  readonly id: string
}
/** A case as the surface shows it to a person. */
interface SeenCase {
  /** Events as the surface names them, sorted. */
  readonly offers: readonly string[]
  /** Whether the surface shows the state. */
  readonly isAt: boolean
}
export interface FlowSurface {
  /** How the surface names an offer. */
  readonly nameOffer: (offer: FlowOffer) => string
  /** @param state the path of the state that the case should be in, such as `offices` */
  readonly look: (seen: WalkedCase, state: string, flow: WalkedFlow['flow']) => Promise<SeenCase>
  readonly send: (sent: WalkedCase, offer: FlowOffer, note: string | undefined) => Promise<void>
}
export interface WalkResult {
  readonly paths: number
  readonly moves: number
  /** Differences from the machine, in words. */
  readonly wrong: readonly string[]
}

/** @param surfaces take turns, move by move */
export async function walkFlow(
  walked: WalkedFlow,
  surfaces: readonly FlowSurface[],
): Promise<WalkResult> {
  const paths = listFlowPaths(walked.flow)
  const wrong: string[] = []
  let moves = 0
  for (const [no, path] of paths.entries()) {
    const found = await walkPath(walked, path, (step) => pickSurface(surfaces, step))
    moves += path.moves.length
    wrong.push(...found.map((each) => `${walked.tag} ${String(no + 1)} ${each}`))
  }
  return { paths: paths.length, moves, wrong }
}

function pickSurface(surfaces: readonly FlowSurface[], step: number): FlowSurface {
  const surface = surfaces[step % surfaces.length]
  if (surface === undefined) throw new Error('a walk needs a surface')
  return surface
}

/** The differences from the machine along the path. */
async function walkPath(
  walked: WalkedFlow,
  path: FlowPath,
  surfaceAt: (step: number) => FlowSurface,
): Promise<readonly string[]> {
  const { tag, flow } = walked
  const compiled = compileFlow(flow)
  const wrong: string[] = []
  const { id, effect, readTarget } = await walked.make(path.row)
  const before = await readTarget()
  const check = async (surface: FlowSurface, person: FlowPerson, at: FlowCase, step: number) => {
    const account = findAccount(walked, person.id)
    const offers = listOffers(compiled, at, person, path.row)
    const seen = await surface.look({ account, tag, id }, readStateKey(at), flow)
    const expected = offers.map(surface.nameOffer).toSorted().join()
    if (seen.offers.toSorted().join() !== expected)
      wrong.push(
        `step ${String(step)}: ${account} is offered ${seen.offers.join()}, not ${expected}`,
      )
    if (!seen.isAt) wrong.push(`step ${String(step)}: not at ${readStateKey(at)}`)
    return offers
  }
  for (const [step, { by, part, before: at, after }] of path.moves.entries()) {
    if (by === null) throw new Error(`${tag} waits for a timer, which people cannot walk`)
    const surface = surfaceAt(step)
    const offers = await check(surface, by, at, step)
    const offer = offers.find((each) => each.part.type === part.type && each.part.no === part.no)
    if (offer === undefined) throw new Error(`the machine does not offer ${part.type}`)
    const sent = { account: findAccount(walked, by.id), tag, id }
    await surface.send(sent, offer, part.event?.note === 'required' ? '材料不全' : undefined)
    await check(surface, by, after, step + 1)
    const target = await readTarget()
    const expected = readStateKey(after) === 'approved' ? effect : before
    if (target !== expected)
      wrong.push(`step ${String(step)}: the row holds ${target}, not ${expected}`)
  }
  return wrong
}

/** The account for a person of the machine, such as `role ROLE_DEAN within row.student#1`. */
function findAccount({ applicant }: WalkedFlow, person: string): string {
  if (person === applicantId) return applicant
  const role = /^role ROLE_(\w+)/.exec(person)?.[1]
  if (role === undefined) throw new Error(`nobody is ${person}`)
  return role.toLowerCase()
}

/** The calls of programs. */
export function buildApiSurface({ apis }: Pick<WalkSchool, 'apis'>): FlowSurface {
  const as = (account: string) => {
    const api = apis.get(account)
    if (api === undefined) throw new Error(`${account} is not signed in`)
    return api
  }
  const read = async ({ account, tag, id }: WalkedCase) =>
    account === 'student'
      ? await as(account).application.get({ params: { tag, id } })
      : await as(account).flow.read({ params: { tag, id } })
  return {
    nameOffer: ({ name }) => name,
    look: async (seen, state) => {
      const answer = await read(seen)
      return { offers: answer.can.map(({ event }) => event), isAt: answer.state === state }
    },
    send: async (sent, { name }, note) => {
      const { account, tag, id } = sent
      const { version } = await read(sent)
      const input = {
        params: { tag, id, event: name },
        body: { version, ...(note !== undefined && { note }) },
      }
      await (account === 'student'
        ? as(account).application.send(input)
        : as(account).flow.send(input))
    },
  }
}
