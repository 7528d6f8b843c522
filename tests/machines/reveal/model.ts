import { revealMachine } from '@jiaowu/machines/reveal/machine'
import * as v from 'valibot'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { readSampleFile } from '../sample-file.ts'
import { revealRules } from './rules.ts'
import samplesFile from './samples.json' with { type: 'json' }
import { answerFailure } from '../problems.ts'

export interface RevealSeen {
  readonly at: string
  readonly reason: string
  readonly fault: string | null
  readonly problem: number | null
  readonly value: string
  readonly left: number | null
  readonly offers: string
}
const offered = ['reveal.ask', 'reveal.confirm', 'reveal.close'] as const
const countRevealLeft = ({ deadline }: { deadline: number }, now: number) => deadline - now

const samples = readSampleFile('reveal/samples.json', samplesFile, {
  'reason.change': v.strictObject({ reason: v.string() }),
})

const revealModel = modelSpec({
  machine: revealMachine,
  input: ({ now }) => ({ tag: 'A', rowId: '7', field: 'idCard', now }),
  events: {
    'reveal.ask': bare,
    'reason.change': samples['reason.change'],
    'reveal.confirm': bare,
    'reveal.close': bare,
  },
  outcomes: {
    reveal: {
      value: { ok: true, output: { value: '11010519491231002X', seconds: 60 } },
      limit: answerFailure(429),
      forbidden: answerFailure(403),
    },
  },
  timers: {
    revealTime: {
      ms: (input, now) => countRevealLeft(input as { deadline: number }, now),
      left: (child) => {
        const { context } = child as { context: { deadline: number; now(): number } }
        return countRevealLeft(context, context.now())
      },
    },
  },
  unhandled: 'all',
  key: (s) =>
    JSON.stringify([
      s.value,
      s.context.reason,
      s.context.fault?.key ?? null,
      s.context.problem?.code ?? null,
      s.context.value,
      s.context.shownUntil > 0,
    ]),
  project: (s, left): RevealSeen => ({
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    reason: s.context.reason,
    fault: s.context.fault?.key ?? null,
    problem: s.context.problem?.code ?? null,
    value: s.context.value,
    left: left('revealTime'),
    offers: offered.filter((type) => s.can({ type })).join(),
  }),
})

export const revealModels: MachineModel<RevealSeen> = {
  parts: { reveal: revealModel },
  rules: revealRules,
}
