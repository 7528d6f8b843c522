import { printPreviewView } from '@jiaowu/machines/print-preview/view'
import { useState } from 'react'
import { PrintPreview } from '../../../apps/web/src/features/documents/print-preview.tsx'
import '../../../apps/web/src/ui/pdf/pdf-view.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { loadingButtons, page } from '../../surfaces/web/dom/by-role.ts'
import type { Asked } from '../../surfaces/web/http/held-fetch.ts'
import { createWebDriver } from '../../surfaces/web/table.ts'
import { printPreviewModels } from './model.ts'

const preview = page.region(zh('printPage.title'))

export const printPreviewWeb = createWebDriver<typeof printPreviewView>({
  model: printPreviewModels,
  view: printPreviewView,
  isGone: preview.isAbsent.is(({ step }) => step === 'closed'),
  readings: {
    // The emulated browser opens no PDF, so that the viewer in the page always says so.
    problem: preview.alert
      .where((each) => each.closest('section.jw-pdf') === null)
      .text.is(({ problem }) => sentence(problem?.message)),
    busy: loadingButtons.texts.is(({ step }) =>
      step === 'downloading' ? zh('common.download') : '',
    ),
  },
  says: { 'printPage.loading': ({ step }) => step === 'loading' },
  gestures: {
    'print.retry': page.button(zh('common.retry')).press,
    'print.download': page.button(zh('common.download')).press,
    'print.close': page.button(zh('common.close')).press,
  },
  calls: {
    '/print/getPrintHttpURL': ['preview', pickPrintSubject],
    '/admin/getDownload': ['download', pickPrintSubject],
  },
  toasts: ({ classList }) => (classList.contains('bp6-intent-success') ? { type: 'saved' } : null),
  host: (effects) => ({
    show: () => <PreviewPage onClosed={() => effects.add({ type: 'closed' })} />,
    files: ['download'],
  }),
})

function pickPrintSubject({ body: { reportId, stuNo, account } }: Asked) {
  return { reportId, stuNo: stuNo ?? account }
}

function PreviewPage({ onClosed }: { readonly onClosed: () => void }) {
  const [here, setHere] = useState(true)
  const close = () => {
    onClosed()
    setHere(false)
  }
  return here ? <PrintPreview subject={{ reportId: '1', stuNo: 'S1' }} onClosed={close} /> : null
}
