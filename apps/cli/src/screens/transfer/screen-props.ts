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
export const word = (locale: Locale, key: Plain): string =>
  (t as (locale: Locale, key: Plain) => string)(locale, key)
export const sentence = (locale: Locale, message: string | Message): string =>
  typeof message === 'string' ? message : say(locale, message)
export const problemSentence = (locale: Locale, view: TransferView): string =>
  view.problem === null ? '' : problemText(locale, view.problem)
