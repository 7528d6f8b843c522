// Events that offices know by name, with the people and the note that they usually have.
import type { Flow, FlowEvent } from '@jiaowu/api/entity/definition/flow'
import { parsePeople } from '../../flow/people.ts'
import { toName } from './start.ts'
import { type EventWord, listEvents } from './states.ts'

const byApplicant: ReadonlySet<EventWord> = new Set(['SUBMIT', 'WITHDRAW'])
const withReason: ReadonlySet<EventWord> = new Set(['RETURN', 'REJECT', 'VOID'])
const toStart: ReadonlySet<EventWord> = new Set(['RETURN', 'WITHDRAW'])

/**
 * The event of a word as it begins. Unless the applicant sends it, the role decides that another event of the
 * state has, or else `role`.
 */
export function buildEvent(word: EventWord, flow: Flow, path: string, role: string): FlowEvent {
  const own = findRole(flow, path) ?? role
  const target = findTarget(word, flow, path)
  return {
    name: toName(`design.event.${word}`),
    ...(target !== undefined && { target }),
    who: byApplicant.has(word) ? [{ applicant: true }] : [{ role: own }, 'others'],
    ...(withReason.has(word) && { note: 'required' as const }),
  }
}

/** The first state for a way back, the first end in red or grey for a refusal, else the state that follows. */
function findTarget(word: EventWord, { initial, states }: Flow, path: string): string | undefined {
  if (toStart.has(word)) return initial
  const all = Object.entries(states)
  if (withReason.has(word))
    return all.find(
      ([, { final, tone }]) => final === true && (tone === 'red' || tone === 'grey'),
    )?.[0]
  const own = path.split('.')[0]
  const at = all.findIndex(([key]) => key === own)
  return at < 0 ? undefined : all[at + 1]?.[0]
}

function findRole(flow: Flow, path: string): string | undefined {
  return listEvents(flow, path)
    .flatMap(({ alternatives }) => alternatives)
    .flatMap(({ who }) => parsePeople(who)?.terms ?? [])
    .flatMap((term) => ('role' in term ? [term.role] : []))[0]
}
