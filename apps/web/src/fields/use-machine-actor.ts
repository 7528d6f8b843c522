import { useEffect, useRef, useState } from 'react'
import {
  type Actor,
  type AnyActorRef,
  type AnyStateMachine,
  createActor,
  type InputFrom,
} from 'xstate'

/** Makes the actor; what it needs of itself (progress) it gets through `self`. */
export type MakeActor<M extends AnyStateMachine> = (self: () => AnyActorRef) => {
  readonly machine: M
  readonly input: InputFrom<M>
}

/**
 * An actor that lives as long as the component. It is made once and started in an effect; StrictMode's rehearsal stops it and
 * makes a fresh one, so no call is made by an actor nobody sees. Its input is the first render's: a view is remounted by key
 * when its subject changes.
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
