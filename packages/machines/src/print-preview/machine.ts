import { type Problem, toProblem } from '@jiaowu/api/problem'
import { assign, emit, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { printPreviewActors, type PrintPreviewPorts, type PrintSubject } from './ports.ts'

export interface PrintPreviewContext {
  readonly subject: PrintSubject
  readonly pdf: string | null
  readonly problem: Problem | null
}
export type PrintPreviewEvent =
  | { readonly type: 'print.retry' }
  | { readonly type: 'print.download' }
  | { readonly type: 'print.close' }
export type PrintPreviewEmitted =
  /** The file was saved. */
  { readonly type: 'saved' } | { readonly type: 'closed' }

/**
 * Staff's preview of a student's report (docs/spec/2-student-service-and-designer.md §2, §4): shows
 * the PDF or the server's refusal; can be downloaded and closed.
 */
export const printPreviewMachine = setup({
  types: {
    context: {} as PrintPreviewContext,
    events: {} as PrintPreviewEvent,
    emitted: {} as PrintPreviewEmitted,
    input: {} as PrintSubject,
    children: {} as { preview: 'preview'; download: 'download' },
    tags: {} as 'busy' | 'shown',
  },
  actors: printPreviewActors(createMissingPorts<PrintPreviewPorts>()),
  actions: {
    keepPdf: assign((_args, { pdf }: { pdf: string }) => ({ pdf })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    forgetProblem: assign({ problem: null }),
    tellSaved: emit({ type: 'saved' as const }),
    tellClosed: emit({ type: 'closed' as const }),
  },
}).createMachine({
  id: 'printPreview',
  context: ({ input }) => ({ subject: input, pdf: null, problem: null }),
  initial: 'loading',
  on: { 'print.close': { target: '.closed' } },
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'preview',
        src: 'preview',
        input: ({ context }) => context.subject,
        onDone: {
          target: 'shown',
          actions: { type: 'keepPdf', params: ({ event }) => ({ pdf: event.output }) },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    failed: { on: { 'print.retry': { target: 'loading', actions: 'forgetProblem' } } },
    shown: {
      tags: 'shown',
      on: { 'print.download': { target: 'downloading', actions: 'forgetProblem' } },
    },
    downloading: {
      tags: ['busy', 'shown'],
      invoke: {
        id: 'download',
        src: 'download',
        input: ({ context }) => context.subject,
        onDone: { target: 'shown', actions: 'tellSaved' },
        onError: {
          target: 'shown',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    closed: { type: 'final', entry: 'tellClosed' },
  },
  options: { maxIterations: 100 },
})
