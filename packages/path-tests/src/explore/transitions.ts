import { shortEvent } from '../graph/short-event.ts'
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

export { shortEvent }

/** `source --event[index]--> targets`; the index counts the branches of one event in one state. */
export type TransitionId = string

/** Every state of the machine in document order, the root first. */
export function listStates(machine: AnyStateMachine): AnyStateNode[] {
  const walk = (node: AnyStateNode): AnyStateNode[] => [
    node,
    ...Object.values(node.states as Record<string, AnyStateNode>).flatMap(walk),
  ]
  return walk(machine.root as AnyStateNode)
}

/** Every declared transition and its id. Initial transitions are left out, because they are always taken. */
export function declaredTransitions(
  machine: AnyStateMachine,
): Map<AnyTransitionDefinition, TransitionId> {
  const found = new Map<AnyTransitionDefinition, TransitionId>()
  for (const node of listStates(machine)) {
    const groups: [string, readonly AnyTransitionDefinition[]][] = [
      ...node.transitions,
      ['', node.always ?? []],
    ]
    for (const [type, branches] of groups)
      for (const [index, branch] of branches.entries()) {
        const targets = (branch.target ?? []).map((target: AnyStateNode) => target.id).join(' ')
        found.set(
          branch,
          `${node.id} --${shortEvent(type)}[${index}]--> ${targets === '' ? '(stays)' : targets}`,
        )
      }
  }
  return found
}
