import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { printPreviewMachine } from './machine.ts'

export interface PrintPreviewView {
  readonly step: 'loading' | 'failed' | 'shown' | 'downloading' | 'closed'
  /** Base64; stays during a download. */
  readonly pdf: string | null
  /** Why the preview or the last download failed. */
  readonly problem: Problem | null
  readonly can: { readonly retry: boolean; readonly download: boolean; readonly close: boolean }
}
export function printPreviewView(s: SnapshotFrom<typeof printPreviewMachine>): PrintPreviewView {
  return {
    step: s.value,
    pdf: s.context.pdf,
    problem: s.context.problem,
    can: {
      retry: s.can({ type: 'print.retry' }),
      download: s.can({ type: 'print.download' }),
      close: s.can({ type: 'print.close' }),
    },
  }
}
