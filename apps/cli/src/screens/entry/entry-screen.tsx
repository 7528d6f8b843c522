import { cutText } from '@jiaowu/api/cut-text'
import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { messageText, t } from '@jiaowu/api/texts/index'
import { problemText } from '@jiaowu/api/problem'
import type { entrySheetMachine } from '@jiaowu/machines/entry-sheet/machine'
import { type EntryView, entryView } from '@jiaowu/machines/entry-sheet/view'
import { Box } from 'ink'
import type { ActorRefFrom } from 'xstate'
import { entryLines } from '../../entities/entry-lines.ts'
import { TextInput } from '../text-input.tsx'
import { useTypeAhead } from '../type-ahead.ts'
import { type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useView } from '../use-view.ts'
import { type Addition, AdditionPart } from './addition.tsx'

export type EntryActor = ActorRefFrom<typeof entrySheetMachine>
interface Props {
  readonly actor: EntryActor
  readonly locale: Locale
  /** Null: no rows are added here. */
  readonly addition?: Addition | null
  /** The sign-in form covers the screen. */
  readonly isCovered?: boolean
  readonly onLeave: () => void
}

/** How far an entry sheet is, its submission and its unlocking, each with its question. */
export function EntryScreen({ actor, locale, addition = null, isCovered = false, onLeave }: Props) {
  const view = useView(actor, entryView)
  const { state, step, problem } = view
  const isAdding = step === 'adding' || step === 'growing'
  const bindings = [
    ...offer(view.can.add && addition !== null, 'a', addName(addition, locale), () =>
      actor.send({ type: 'add.ask' }),
    ),
    ...questionKeys(view, actor, locale),
    ...sheetKeys(view, actor, locale),
    ...offer(!view.can.cancel, 'esc', t(locale, 'cli.key.leave'), onLeave),
  ]
  // The addition has keys of its own.
  const own = isAdding && addition !== null
  useBindings(bindings, !isCovered && !own)
  useTypeAhead(view.isWaiting && !isCovered, bindings)
  return (
    <Box flexDirection="column" paddingX={1}>
      {state === null
        ? null
        : entryLines(locale, state).map((line) => <Text key={line}>{line}</Text>)}
      {step === 'asking' || step === 'submitting' ? (
        <Submission state={state} locale={locale} />
      ) : null}
      {step === 'explaining' || step === 'unlocking' ? (
        <Reason actor={actor} view={view} locale={locale} isActive={!isCovered} />
      ) : null}
      {own ? (
        <AdditionPart
          addition={addition}
          view={view}
          send={(event) => actor.send(event)}
          locale={locale}
          isCovered={isCovered}
        />
      ) : null}
      {problem === null ? null : <Fault>{problemText(locale, problem)}</Fault>}
      {view.isWaiting ? <Text dimColor>{t(locale, 'common.loading')}</Text> : null}
      {own ? null : <Keys bindings={bindings} />}
    </Box>
  )
}

function addName(addition: Addition | null, locale: Locale): string {
  return addition === null ? '' : t(locale, 'entry.add', { name: addition.name })
}

function questionKeys({ step, can }: EntryView, actor: EntryActor, locale: Locale): Binding[] {
  return [
    ...offer(can.confirmSubmit, 'enter', t(locale, 'entry.submit'), () =>
      actor.send({ type: 'submit.confirm' }),
    ),
    // The field of the reason handles the key.
    ...offer(
      can.confirmUnlock && step === 'explaining',
      'enter',
      t(locale, 'entry.unlock'),
      () => {},
    ),
    ...offer(can.cancel, 'esc', t(locale, 'common.cancel'), () =>
      actor.send({ type: 'ask.cancel' }),
    ),
  ]
}

function sheetKeys({ step, can }: EntryView, actor: EntryActor, locale: Locale): Binding[] {
  const refresh = () => actor.send({ type: 'entry.refresh' })
  return [
    ...offer(can.submit, 's', t(locale, 'entry.submit'), () => actor.send({ type: 'submit.ask' })),
    ...offer(can.unlock, 'u', t(locale, 'entry.unlock'), () => actor.send({ type: 'unlock.ask' })),
    ...offer(step === 'idle' || step === 'refreshing', 'r', t(locale, 'common.refresh'), refresh),
    ...offer(can.retry, 'r', t(locale, 'common.retry'), refresh),
  ]
}

function Submission({ state, locale }: Pick<Props, 'locale'> & Pick<EntryView, 'state'>) {
  const { total = 0, entered = 0 } = state ?? {}
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text bold>{t(locale, 'entry.submitTitle')}</Text>
      <Text color="yellow">
        {entered === total
          ? t(locale, 'entry.submitAll', { total })
          : t(locale, 'entry.submitPart', { n: total - entered, entered, total })}
      </Text>
    </Box>
  )
}

function Reason({
  actor,
  view: { step, reason, can, fault },
  locale,
  isActive,
}: Pick<Props, 'actor' | 'locale'> & { readonly view: EntryView; readonly isActive: boolean }) {
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text bold>{t(locale, 'entry.unlockTitle')}</Text>
      <Box>
        <Text>{t(locale, 'entry.reason')}: </Text>
        <TextInput
          value={reason}
          onChange={(typed) =>
            actor.send({
              type: 'reason.change',
              reason: cutText(typed, limits.reasonLength),
            })
          }
          onSubmit={() => {
            if (can.confirmUnlock) actor.send({ type: 'unlock.confirm' })
          }}
          isActive={isActive && step === 'explaining'}
        />
      </Box>
      <Text dimColor>{t(locale, 'entry.reasonHint')}</Text>
      {fault === null ? null : <Fault>{messageText(locale, fault)}</Fault>}
    </Box>
  )
}
