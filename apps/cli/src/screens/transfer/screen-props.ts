import { type Locale, type Message, problemText, say, t, type TextKey } from '@jiaowu/api'
import type { FileFacts, TransferEvent, TransferView, transferMachine } from '@jiaowu/machines'
import type { ActorRefFrom } from 'xstate'

export type TransferActor = ActorRefFrom<typeof transferMachine>
/** What the parts of the transfer screen share. */
export interface PartProps {
  readonly view: TransferView
  readonly send: (event: TransferEvent) => void
  readonly locale: Locale
  /** Leaves the screen; a job goes on without it. */
  readonly leave: () => void
}
export interface TransferScreenProps {
  readonly actor: TransferActor
  readonly locale: Locale
  /** Looks at a file; null when it cannot be read. */
  readonly factsOf: (path: string) => Promise<FileFacts | null>
  /** Where the last file went. */
  readonly savedTo: () => string | null
  readonly leave: () => void
}

type Plain = Extract<TextKey, `cli.${string}` | `common.${string}`>
/** Sentences without holes, by a key put together from parts. */
export function word(locale: Locale, key: Plain): string {
  return (t as (locale: Locale, key: Plain) => string)(locale, key)
}
export function sentence(locale: Locale, message: string | Message): string {
  return typeof message === 'string' ? message : say(locale, message)
}
export function problemSentence(locale: Locale, view: TransferView): string {
  return view.problem === null ? '' : problemText(locale, view.problem)
}
