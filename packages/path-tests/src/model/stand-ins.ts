import {
  type ActorLogic,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyStateMachine,
  type EventObject,
  initialTransition,
  type Snapshot,
} from 'xstate'
import type { Child } from './children.ts'
import { nameChild } from './text.ts'

/** A child created during a step, with its name and the logic it would have run. */
export interface Created {
  readonly ref: AnyActorRef
  readonly name: string
  readonly source: string | AnyActorLogic
  readonly logic: AnyActorLogic
  readonly input: unknown
}

interface ActorInside {
  logic: AnyActorLogic
  readonly src: string | AnyActorLogic
  readonly options: { readonly input?: unknown }
}

/**
 * Replaces the logic of a child at its creation, before it computes anything. xstate reports a new
 * actor (`@xstate.actor`) before it asks its logic for a first snapshot, for invoked and spawned
 * children alike, so no child of a machine under test runs unless `buildStandIn` returns its own logic.
 */
export function replaceChild(
  ref: AnyActorRef,
  taken: ReadonlySet<string>,
  standInOf: (created: Created) => AnyActorLogic,
): Created {
  const inside = ref as unknown as ActorInside
  const created: Created = {
    ref,
    name: nameChild(ref, taken),
    source: inside.src,
    logic: inside.logic,
    input: inside.options.input,
  }
  inside.logic = standInOf(created)
  return created
}

/** The stand-in of a child that the model does not run: its snapshot is given, or its first one. */
export function standInLogic({ logic, input }: Created, as: Child): AnyActorLogic {
  return idleLogic((as.kind === 'silent' ? as.snapshot : undefined) ?? firstSnapshot(logic, input))
}

/** The first snapshot of a child, computed without starting it. */
function firstSnapshot(logic: AnyActorLogic, input: unknown): unknown {
  try {
    return 'root' in logic
      ? initialTransition(logic as AnyStateMachine, input as never)[0]
      : logic.getInitialSnapshot(undefined as never, input)
  } catch {
    return undefined
  }
}

/** Logic that does nothing and whose snapshot is given. */
export function idleLogic(snapshot?: unknown): ActorLogic<Snapshot<unknown>, EventObject> {
  const still = {
    status: 'active',
    output: undefined,
    error: undefined,
    ...(snapshot as object | undefined),
  } as unknown as Snapshot<unknown>
  return {
    transition: (state) => state,
    getInitialSnapshot: () => still,
    getPersistedSnapshot: (state) => state,
  }
}
