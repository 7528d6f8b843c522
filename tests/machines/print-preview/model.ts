import {
  type PrintPreviewContext,
  printPreviewMachine,
} from '@jiaowu/machines/print-preview/machine'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { answerFailure } from '../problems.ts'

export interface PrintPreviewSeen {
  readonly at: string
  readonly pdf: string | null
  readonly problem: string | null
  readonly offers: string
}

const printPreviewModel = modelSpec({
  machine: printPreviewMachine,
  input: () => ({ reportId: '1', stuNo: 'S1' }),
  events: { 'print.retry': bare, 'print.download': bare, 'print.close': bare },
  outcomes: {
    preview: { pdf: { ok: true, output: 'cGRm' }, gone: answerFailure(404, { message: 'gone' }) },
    download: {
      saved: { ok: true, output: undefined },
      refused: answerFailure(404, { message: 'no' }),
    },
  },
  unhandled: 'all',
  key: (s) => JSON.stringify([s.value, s.context.pdf, s.context.problem?.message ?? null]),
  project: (s): PrintPreviewSeen => ({
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    pdf: s.context.pdf,
    problem: typeof s.context.problem?.message === 'string' ? s.context.problem.message : null,
    offers: (['print.retry', 'print.download', 'print.close'] as const)
      .filter((type) => s.can({ type }))
      .join(),
  }),
})

export const printPreviewModels: MachineModel<PrintPreviewSeen> = {
  parts: { printPreview: printPreviewModel },
  rules: [
    {
      name: 'what is shown stays while it is downloaded',
      kind: 'state',
      holds: ({ snapshot }) =>
        snapshot.matches('closed') ||
        snapshot.hasTag('shown') === (readPreviewContext(snapshot).pdf !== null),
    },
    {
      name: "a preview that did not come says why, in the server's words",
      kind: 'state',
      holds: ({ snapshot }) =>
        !snapshot.matches('failed') || readPreviewContext(snapshot).problem?.message === 'gone',
    },
    {
      name: 'nothing is downloaded unasked',
      kind: 'edge',
      holds: ({ step, effects }) =>
        !effects.some((effect) => effect.startsWith('call download')) ||
        step.label === 'print.download',
    },
    {
      name: 'saved is emitted only after a download',
      kind: 'edge',
      holds: ({ step, effects }) =>
        effects.some((effect) => effect.includes('"saved"')) ===
        (step.label === 'download → saved'),
    },
    {
      name: 'from everywhere the drawer can be shut',
      kind: 'reach',
      to: ({ snapshot }) => snapshot.matches('closed'),
    },
  ],
}

function readPreviewContext(snapshot: { readonly context: unknown }) {
  return snapshot.context as PrintPreviewContext
}
