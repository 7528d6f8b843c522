import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { DownloadEvent } from '@jiaowu/machines/download/context'
import type { downloadMachine } from '@jiaowu/machines/download/machine'
import type { DownloadView } from '@jiaowu/machines/download/view'
import type { ActorRefFrom } from 'xstate'

export type DownloadActor = ActorRefFrom<typeof downloadMachine>

export interface DownloadProps {
  readonly actor: DownloadActor
  readonly locale: Locale
  /** Writes the preview to a file and returns its path. */
  readonly savePreview: (base64: string, name: string) => string
  /** Path of the saved document. */
  readonly savedTo: () => string | null
  readonly leave: () => void
}

/** Props of one screen of the download service. */
export interface ScreenProps extends DownloadProps {
  readonly view: DownloadView
  readonly send: (event: DownloadEvent) => void
}

/** A price as text; "free" for 0. */
export function yuan(price: number, locale: Locale): string {
  return price === 0
    ? t(locale, 'studentPage.free')
    : t(locale, 'studentPage.yuan', { price: price.toFixed(2) })
}
