import { t } from '@jiaowu/api'
import type { PrintPreviewEvent, printPreviewMachine } from '@jiaowu/machines'
import { useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import '../../../apps/web/src/ui/pdf-view.tsx'
import { PrintPreview } from '../../../apps/web/src/features/documents/print-preview.tsx'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import type { PrintPreviewSeen } from './model.ts'
import { click, find, offers, textOf } from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { newToasts } from '../../surfaces/web/effects.ts'

export interface PrintScreen {
  readonly shows: 'loading' | 'failed' | 'document' | 'closed'
  readonly waits: string
  readonly problem: string
  readonly busy: boolean
  readonly offers: string
}
const closed: PrintScreen = { shows: 'closed', waits: '', problem: '', busy: false, offers: '' }

export function printOnScreen(spec: Spec<PrintPreviewSeen>): Spec<PrintScreen> {
  return {
    ...spec,
    project: ((s: SnapshotFrom<typeof printPreviewMachine>): PrintScreen =>
      s.matches('closed')
        ? closed
        : {
            shows: s.matches('loading') ? 'loading' : s.matches('failed') ? 'failed' : 'document',
            waits: s.matches('loading') ? t('zh-CN', 'printPage.loading') : '',
            problem: String(s.context.problem?.message ?? ''),
            busy: s.matches('downloading'),
            offers: (['print.retry', 'print.download', 'print.close'] as const)
              .filter((type) => s.can({ type }))
              .join(),
          }) as never,
  }
}

const foot = '.jw-print__foot button'
const gestures: Gestures<PrintPreviewEvent> = {
  'print.retry': () => click('.jw-print__page button', '重试'),
  'print.download': () => click(foot, '下载'),
  'print.close': () => click(foot, '关闭'),
}

export function printScreen(): Screen<PrintScreen> {
  let told: string[] = []
  const toasts = newToasts()
  const Page = () => {
    const [here, setHere] = useState(true)
    return here ? (
      <PrintPreview
        subject={{ reportId: '1', stuNo: 'S1' }}
        onClosed={() => {
          told.push(emitEffect({ type: 'closed' }))
          setHere(false)
        }}
      />
    ) : null
  }
  return {
    mount: (_start, held) => ({ element: inConsole(held, <Page />) }),
    callOf: ({ path, body }): PortCall | null =>
      path === '/print/getPrintHttpURL'
        ? { port: 'preview', input: subjectOf(body) }
        : path === '/admin/getDownload'
          ? { port: 'download', input: subjectOf(body) }
          : null,
    background: () => answered(null),
    end: (held, port, outcome) => {
      if (port !== 'download' || !outcome.ok) return false
      held.finish(port)
      return true
    },
    user: (step, held) => gestureOf(gestures, step, held),
    read: () =>
      find('.jw-print') === undefined
        ? closed
        : {
            shows:
              find('.jw-print__page > .jw-state[role=status]') !== undefined
                ? 'loading'
                : offers('.jw-print__page > .jw-state button', '重试')
                  ? 'failed'
                  : 'document',
            waits: textOf(find('.jw-print__page > .jw-state .jw-state__label')),
            problem: textOf(
              find('.jw-print > .jw-fault') ?? find('.jw-print__page > .jw-state .jw-state__title'),
            ),
            busy: find(`${foot}.bp6-loading`) !== undefined,
            offers: [
              ...(offers('.jw-print__page > .jw-state button', '重试') ? ['print.retry'] : []),
              ...(offers(foot, '下载') ? ['print.download'] : []),
              ...(offers(foot, '关闭') ? ['print.close'] : []),
            ].join(),
          },
    told: () => {
      const saved = toasts()
        .filter((toast) => toast.classList.contains('bp6-intent-success'))
        .map(() => emitEffect({ type: 'saved' }))
      const now = [...told, ...saved]
      told = []
      return now
    },
  }
}

function subjectOf({ reportId, stuNo, account }: Asked['body']) {
  return {
    reportId,
    stuNo: stuNo ?? account,
  }
}
