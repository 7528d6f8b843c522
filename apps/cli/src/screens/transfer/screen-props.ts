import type { Locale } from '@jiaowu/api/locale'
import { type Message, messageText, t, type TextKey } from '@jiaowu/api/texts/index'
import { problemDetail } from '@jiaowu/api/problem'
import type { FileFacts } from '@jiaowu/machines/transfer/ports'
import type { TransferEvent } from '@jiaowu/machines/transfer/context'
import type { TransferView } from '@jiaowu/machines/transfer/view'
import type { transferMachine } from '@jiaowu/machines/transfer/machine'
import type { ActorRefFrom } from 'xstate'

export type TransferActor = ActorRefFrom<typeof transferMachine>

/** Props of the parts of the transfer screen. */
export interface PartProps {
  readonly view: TransferView
  readonly send: (event: TransferEvent) => void
  readonly locale: Locale
  /** Leaves the screen; the server continues a running job. */
  readonly leave: () => void
}

export interface TransferScreenProps {
  readonly actor: TransferActor
  readonly locale: Locale
  /** Name, size and format of a file; null if it cannot be read. */
  readonly factsOf: (path: string) => Promise<FileFacts | null>
  /** Path of the last saved file. */
  readonly savedTo: () => string | null
  readonly leave: () => void
}

type Plain = Extract<TextKey, `cli.${string}` | `common.${string}`>

/** Text without placeholders, for a key composed at run time. */
export function label(locale: Locale, key: Plain): string {
  return (t as (locale: Locale, key: Plain) => string)(locale, key)
}

export function shownText(locale: Locale, message: string | Message): string {
  return typeof message === 'string' ? message : messageText(locale, message)
}

/** Text of the view's problem; empty if there is none. */
export function problemOfView(locale: Locale, view: TransferView): string {
  return view.problem === null ? '' : problemDetail(locale, view.problem)
}
