import { countdownMachine } from '@jiaowu/machines/countdown/machine'
import type { Clock } from '@jiaowu/path-tests'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'

export interface CountdownSeen {
  readonly at: string
  readonly secondsLeft: number
  readonly offers: boolean
}

const countdownModel = modelSpec({
  machine: countdownMachine,
  // Nothing left, a part of a second, several.
  input: {
    over: buildCountdownInput(0),
    short: buildCountdownInput(400),
    long: buildCountdownInput(2_500),
  },
  events: { 'countdown.look': bare },
  outcomes: {},
  unhandled: 'all',
  key: (s) => JSON.stringify([s.value, s.context.secondsLeft]),
  project: (s): CountdownSeen => ({
    at: JSON.stringify(s.value),
    secondsLeft: s.context.secondsLeft,
    offers: s.can({ type: 'countdown.look' }),
  }),
})

export const countdownModels: MachineModel<CountdownSeen> = {
  parts: { countdown: countdownModel },
  rules: [
    {
      name: 'it is over exactly when nothing is left',
      kind: 'state',
      holds: ({ snapshot }) =>
        snapshot.matches('done') ===
        ((snapshot.context as { secondsLeft: number }).secondsLeft === 0),
    },
    {
      name: 'it ends by itself',
      kind: 'reach',
      to: ({ snapshot }) => snapshot.status === 'done',
      by: ({ step }) => step.kind === 'time',
    },
  ],
}

function buildCountdownInput(deadline: number) {
  return ({ now }: Clock) => ({ deadline, now })
}
