import type { PrintPreviewEvent, printPreviewMachine } from '@jiaowu/machines'
import { useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import '../../../apps/web/src/ui/pdf/pdf-view.tsx'
import { PrintPreview } from '../../../apps/web/src/features/documents/print-preview.tsx'
import { button, byRole, having, region } from '../../surfaces/web/dom/by-role.ts'
import { effectLog } from '../../surfaces/web/dom/effects.ts'
import { press } from '../../surfaces/web/dom/gestures.ts'
import { answered, type Asked } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, loadingButtons, text, texts } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { printPreviewModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof printPreviewMachine>
const page = region(zh('printPage.title'))
const retry = button(zh('common.retry'))

/** The emulated browser opens no PDF, so that the viewer in the page always says so. */
const isOutsidePdf = (each: HTMLElement) => each.closest('section.jw-pdf') === null
const fault = having(byRole('alert', undefined, page), isOutsidePdf)

export const printPreviewWeb = webDriverOf<Snapshot, PrintPreviewEvent, Snapshot>({
  model: printPreviewModels,
  view: (s) => s,
  isGone: { model: (s) => s.matches('closed'), screen: () => !isShown(page)() },
  readings: {
    problem: {
      model: (s) => sentence(s.context.problem?.message),
      screen: text(fault),
    },
    busy: {
      model: (s) => (s.matches('downloading') ? zh('common.download') : ''),
      screen: texts(loadingButtons),
    },
  },
  says: { 'printPage.loading': (s) => s.matches('loading') },
  gestures: {
    'print.retry': press(retry),
    'print.download': press(button(zh('common.download'))),
    'print.close': press(button(zh('common.close'))),
  },
  calls: {
    '/print/getPrintHttpURL': ['preview', subjectOf],
    '/admin/getDownload': ['download', subjectOf],
  },
  host,
})

function subjectOf({ body: { reportId, stuNo, account } }: Asked) {
  return { reportId, stuNo: stuNo ?? account }
}

function host(): Host {
  const effects = effectLog(({ classList }) =>
    classList.contains('bp6-intent-success') ? { type: 'saved' } : null,
  )
  return {
    mount: (_start, held) => ({
      element: inConsole(held, <Page onClosed={() => effects.add({ type: 'closed' })} />),
    }),
    background: () => answered(null),
    end: (held, port, outcome) => {
      if (port !== 'download' || !outcome.ok) return false
      held.finish(port)
      return true
    },
    takeEffects: effects.take,
  }
}

function Page({ onClosed }: { readonly onClosed: () => void }) {
  const [here, setHere] = useState(true)
  const close = () => {
    onClosed()
    setHere(false)
  }
  return here ? <PrintPreview subject={{ reportId: '1', stuNo: 'S1' }} onClosed={close} /> : null
}
