import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { shortEvent } from './short-event.ts'

/** A machine as data: its states, and its declared transitions with short event names. */
export interface MachineGraph {
  readonly machine: string
  readonly states: readonly {
    readonly id: string
    readonly type: string
    readonly tags: readonly string[]
    readonly initial: boolean
  }[]
  readonly transitions: readonly {
    readonly from: string
    readonly event: string
    readonly to: readonly string[]
    readonly guarded: boolean
  }[]
}

/** The graph of a machine in document order, deterministic. */
export function buildMachineGraph(machine: AnyStateMachine): MachineGraph {
  const nodes = listNodesInOrder(machine.root as AnyStateNode)
  const branchesOf = (node: AnyStateNode): readonly AnyTransitionDefinition[] => [
    ...[...node.transitions.values()].flat(),
    ...(node.always ?? []),
  ]
  return {
    machine: machine.id,
    states: nodes.map((node) => ({
      id: node.id,
      type: node.type,
      tags: [...node.tags],
      initial: isInitial(node),
    })),
    transitions: nodes.flatMap((node) =>
      branchesOf(node).map(({ eventType, target, guard }) => ({
        from: node.id,
        event: shortEvent(eventType),
        to: (target ?? []).map((each: AnyStateNode) => each.id),
        guarded: guard !== undefined,
      })),
    ),
  }
}

function listNodesInOrder(node: AnyStateNode): AnyStateNode[] {
  return [
    node,
    ...Object.values(node.states as Record<string, AnyStateNode>).flatMap(listNodesInOrder),
  ]
}

function isInitial(node: AnyStateNode): boolean {
  return (
    node.parent === undefined ||
    node.parent.type === 'parallel' ||
    (node.parent.initial?.target as readonly AnyStateNode[] | undefined)?.includes(node) === true
  )
}
