import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { noticesMachine } from './machine.ts'
import type { Notice } from './ports.ts'

export interface NoticesView {
  readonly step: 'loading' | 'failed' | 'list' | 'open'
  readonly notices: readonly Notice[]
  /** The notice in the dialog. */
  readonly open: Notice | null
  readonly problem: Problem | null
  readonly can: { readonly retry: boolean; readonly close: boolean }
}
export function noticesView(s: SnapshotFrom<typeof noticesMachine>): NoticesView {
  return {
    step: s.value,
    notices: s.context.notices,
    open: s.context.notices.find(({ id }) => id === s.context.openId) ?? null,
    problem: s.matches('failed') ? s.context.problem : null,
    can: { retry: s.can({ type: 'notices.retry' }), close: s.can({ type: 'notice.close' }) },
  }
}
