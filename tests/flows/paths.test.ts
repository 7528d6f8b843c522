import type { Flow, FlowEvent, FlowState } from '@jiaowu/api/entity/definition/flow'
import { compileFlow } from '@jiaowu/machines/flow/flow'
import { listFlowPaths } from '@jiaowu/machines/flow/paths'
import { describe, expect, it } from 'vitest'
import { buildCommittee, buildGradeChange, buildStatusChange, type Editable } from './good-flows.ts'
import { listCrowd, observePath } from './observe.ts'

const flows = [
  ['a correction in two steps', buildGradeChange],
  ['a leave with four offices side by side', buildStatusChange],
  ['a committee with timers', buildCommittee],
] as const

interface Mutant {
  readonly name: string
  readonly flow: Flow
}
type DraftState = Editable<FlowState>
type DraftEvent = Editable<FlowEvent>

/** Small wrongs of a flow: another target, decider or condition, a dropped effect, note, end or timer. */
function listMutants(build: () => object): readonly Mutant[] {
  const found: Mutant[] = []
  const places = listPlaces(build() as Flow)
  for (const place of places)
    for (const [kind, change] of changes) {
      const flow = build() as unknown as { states: Record<string, DraftState> }
      const event = findEvent(flow.states, place)
      if (event !== null && change(event))
        found.push({ name: `${place.join('.')}: ${kind}`, flow: flow as unknown as Flow })
    }
  return found
}

type Place = readonly [path: string, key: string, no: number]
function listPlaces(flow: Flow): readonly Place[] {
  return compileFlow(flow)
    .parts.events.filter(({ event }) => event !== null)
    .map(({ path, key, no }) => [path, key, no])
}

function findEvent(states: Record<string, DraftState>, [path, key, no]: Place): DraftEvent | null {
  let state: DraftState | undefined
  let inner: Record<string, DraftState> | undefined = states
  for (const part of path.split('.')) {
    state = inner?.[part]
    inner = state?.states as Record<string, DraftState> | undefined
  }
  const events = (state?.on as Record<string, DraftEvent | DraftEvent[]> | undefined)?.[key]
  return Array.isArray(events) ? (events[no] ?? null) : (events ?? null)
}

const changes: readonly (readonly [kind: string, change: (event: DraftEvent) => boolean])[] = [
  [
    'anybody may decide twice',
    (event) => {
      const who = (event.who as unknown[]).filter((part) => part !== 'others')
      const isChanged = who.length < (event.who as unknown[]).length
      event.who = who as never
      return isChanged
    },
  ],
  [
    'another decider',
    (event) => {
      event.who = [{ role: 'STRANGER' }, 'others'] as never
      return true
    },
  ],
  [
    'stays where it is',
    (event) => {
      const had = event.target !== undefined
      delete event.target
      return had
    },
  ],
  [
    'the effect is dropped',
    (event) => {
      const had = event.effects !== undefined
      delete event.effects
      return had
    },
  ],
  [
    'the condition is the opposite',
    (event) => {
      if (event.when === undefined) return false
      event.when = `!(${event.when})`
      return true
    },
  ],
  [
    'the note is not asked for',
    (event) => {
      const had = event.note === 'required'
      delete event.note
      return had
    },
  ],
  [
    'one is enough',
    (event) => {
      const [first] = event.who as unknown as { n?: number; all?: unknown; of?: never }[]
      if (first?.n === undefined && first?.all === undefined) return false
      const terms = (first.of ?? first.all) as never
      event.who = [{ any: terms }, 'others'] as never
      return true
    },
  ],
]

describe.each(flows)('paths through %s', (_name, build) => {
  const flow = build() as Flow
  const paths = listFlowPaths(flow)
  it('take every event and timer, by everybody whom it asks', () => {
    const taken = new Set(
      paths.flatMap(({ moves }) => moves.map(({ part }) => `${part.type}[${String(part.no)}]`)),
    )
    const declared = compileFlow(flow).parts.events.map(({ type, no }) => `${type}[${String(no)}]`)
    expect(declared.filter((each) => !taken.has(each))).toEqual([])
    expect(paths.length).toBeLessThanOrEqual(declared.length)
  })
  it('begin at the beginning, and each move follows from the one before it', () => {
    for (const { moves } of paths)
      for (const [i, move] of moves.entries())
        expect(move.before).toEqual(i === 0 ? move.before : moves[i - 1]?.after)
    expect(new Set(paths.map(({ moves }) => moves[0]?.before.value))).toEqual(new Set(['draft']))
  })
  it('notice every mutant of the flow', () => {
    const crowd = listCrowd(flow)
    const sound = paths.map((path) => observePath(flow, path, crowd))
    const mutants = listMutants(build)
    expect(mutants.length).toBeGreaterThan(10)
    const missed = mutants.filter(({ flow: mutant }) =>
      paths.every(
        (path, i) => JSON.stringify(observePath(mutant, path, crowd)) === JSON.stringify(sound[i]),
      ),
    )
    expect(missed.map(({ name }) => name)).toEqual([])
  })
})
