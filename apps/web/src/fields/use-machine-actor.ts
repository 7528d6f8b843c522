import { useEffect, useRef, useState } from 'react'
import {
  type Actor,
  type AnyActorRef,
  type AnyStateMachine,
  createActor,
  type InputFrom,
} from 'xstate'

/** Returns the machine and its input; `self` gives ports the actor, to send progress to. */
export type MakeActor<M extends AnyStateMachine> = (self: () => AnyActorRef) => {
  readonly machine: M
  readonly input: InputFrom<M>
}

/**
 * An actor that lives as long as the component, started in an effect. When StrictMode unmounts and
 * remounts the component, the stopped actor is replaced by a new one. The input is that of the
 * first render: give the component a `key` to restart the machine for another subject.
 */
export function useMachineActor<M extends AnyStateMachine>(make: MakeActor<M>): Actor<M> {
  const first = useRef(make)
  const [actor, setActor] = useState(() => build(make))
  useEffect(() => {
    if ((actor as AnyActorRef).getSnapshot().status === 'stopped') {
      setActor(build(first.current))
      return undefined
    }
    actor.start()
    return () => {
      actor.stop()
    }
  }, [actor])
  return actor
}

function build<M extends AnyStateMachine>(make: MakeActor<M>): Actor<M> {
  const box: { actor?: AnyActorRef } = {}
  const { machine, input } = make(() => box.actor as AnyActorRef)
  const made = createActor(machine, { input } as never)
  box.actor = made
  return made as unknown as Actor<M>
}
