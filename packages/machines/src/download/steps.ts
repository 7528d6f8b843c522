import type { DownloadEvent } from './context.ts'
import type { DownloadScreen, DownloadView } from './view.ts'

/** How many steps each screen is from the list. A browser has as many entries in its history. */
const depths: Readonly<Record<DownloadScreen, number>> = {
  list: 0,
  preview: 1,
  method: 2,
  ordering: 2,
  scanPay: 3,
  closing: 3,
  failed: 3,
  saving: 3,
  unsaved: 3,
  success: 4,
  ended: 0,
}

export function downloadDepth({ screen }: Pick<DownloadView, 'screen'>): number {
  return depths[screen]
}

/** The step's own way back, for the Back of a browser; null where there is none, or a call is awaited. */
export function downloadBack({ screen, can }: DownloadView): DownloadEvent | null {
  if (can.cancelPreview) return { type: 'preview.cancel' }
  if (can.back) return { type: 'pay.back' }
  if (can.cancelPay) return { type: 'pay.cancel' }
  if (can.cancelFailure) return { type: 'failure.cancel' }
  if (can.leaveSave) return { type: 'save.leave' }
  return screen === 'success' ? { type: 'success.home' } : null
}

/**
 * The step forward, for the Forward of a browser after its Back: the preview of the report chosen last, and the
 * choice of the payment. Null where it would order something: that takes a click.
 */
export function downloadForward({
  screen,
  can,
  report,
  price,
}: DownloadView): DownloadEvent | null {
  if (screen === 'list' && can.open && report !== null)
    return { type: 'report.open', reportId: report.id }
  const isFree = price === null || price === 0
  return screen === 'preview' && can.confirm && !isFree ? { type: 'preview.confirm' } : null
}
