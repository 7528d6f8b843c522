// Everything that people could notice of a flow along its paths: what each of them is offered, and what happens.
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { applicantId, buildPeople } from '@jiaowu/machines/flow/explore'
import { compileFlow, decide, listOffers, startCase } from '@jiaowu/machines/flow/flow'
import type { FlowPath } from '@jiaowu/machines/flow/paths'
import type { FlowPerson } from '@jiaowu/machines/flow/people'

/** The observations along a path, one for each situation; it ends where a move is refused. */
export function observePath(
  flow: Flow,
  path: FlowPath,
  crowd: readonly FlowPerson[],
): readonly string[] {
  const compiled = compileFlow(flow)
  let flowCase = startCase(compiled, applicantId)
  const seen: string[] = []
  const look = () =>
    seen.push(
      JSON.stringify([
        flowCase.value,
        flowCase.isDone,
        crowd.map((person) =>
          listOffers(compiled, flowCase, person, path.row).map(({ name, event }) => [
            name,
            event.note,
            event.ask,
          ]),
        ),
      ]),
    )
  look()
  for (const { by, part } of path.moves) {
    const own = compiled.parts.events.find(({ type, no }) => type === part.type && no === part.no)
    const step = own === undefined ? null : decide(compiled, flowCase, own, by, path.row)
    if (step === null) {
      seen.push('refused')
      break
    }
    flowCase = step.next
    seen.push(JSON.stringify(step.performs.map(({ effects }) => effects)))
    look()
  }
  return seen
}

/** The people of the walk, and each of them in every role. */
export function listCrowd(flow: Flow): readonly FlowPerson[] {
  const people = buildPeople(compileFlow(flow), () => Infinity)
  const terms = [...new Set(people.flatMap((each) => each.terms))]
  return [
    { id: applicantId, terms: [] },
    ...people,
    { id: applicantId, terms },
    ...people.map(({ id }) => ({ id, terms })),
  ]
}
