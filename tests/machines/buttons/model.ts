import { buttonsMachine } from '@jiaowu/machines/buttons/machine'
import type { SnapshotFrom } from 'xstate'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { buttonsRules } from './rules.ts'
import { buttons, record, serverRequest } from './samples.ts'
import { answerFailure } from '../problems.ts'

export interface ButtonsSeen {
  readonly at: string
  readonly pressed: string | null
  readonly remaining: string
  readonly outcome: string | null
  readonly problem: number | null
  readonly offers: string
}

const offered = ['press.confirm', 'press.cancel', 'press.retry', 'press.dismiss'] as const

/** @param starts where the buttons stand: above a form, or above the details */
function buttonsModel<Code extends keyof typeof buttons>(
  start: 'form' | 'details',
  codes: readonly Code[],
) {
  return modelSpec({
    machine: buttonsMachine,
    input: { [start]: () => ({ tag: 'A' }) },
    events: {
      'button.press': Object.fromEntries(
        codes.map((code) => [code, { button: buttons[code], row: record }]),
      ),
      'press.confirm': bare,
      'press.cancel': bare,
      'press.retry': bare,
      'press.dismiss': bare,
      'buttons.close': bare,
    },
    outcomes: {
      loadActions: {
        message: { ok: true, output: [{ do: 'message', tone: 'info', text: 'sql' }] },
        request: { ok: true, output: [serverRequest] },
        refused: answerFailure(501),
      },
      sendRequest: {
        done: { ok: true, output: undefined },
        refused: answerFailure(422),
        ended: answerFailure(40001, { kind: 'session' }),
      },
    },
    unhandled: 'all',
    key: (s) => JSON.stringify([s.value, ...buildButtonsState(s)]),
    project: (s): ButtonsSeen => {
      const [pressed, remaining, outcome, problem] = buildButtonsState(s)
      return {
        at: JSON.stringify(s.value) + [...s.tags].sort().join(),
        pressed,
        remaining,
        outcome,
        problem,
        offers: offered.filter((type) => s.can({ type })).join(),
      }
    },
  })
}

function buildButtonsState({ context }: SnapshotFrom<typeof buttonsMachine>) {
  return [
    context.pressed?.button.code ?? null,
    context.remaining.map((action) => action.do).join(),
    context.outcome,
    context.problem?.code ?? null,
  ] as const
}

export const buttonsModels: MachineModel<ButtonsSeen> = {
  parts: {
    form: buttonsModel('form', ['set', 'ask']),
    details: buttonsModel('details', ['tell', 'send', 'ask', 'sql']),
  },
  rules: buttonsRules,
}
