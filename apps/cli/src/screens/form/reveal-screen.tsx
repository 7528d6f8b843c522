import { cutText } from '@jiaowu/api/cut-text'
import type { Field } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { messageText, t } from '@jiaowu/api/texts/index'
import { problemText } from '@jiaowu/api/problem'
import { type RevealView, revealView } from '@jiaowu/machines/reveal/view'
import type { revealMachine } from '@jiaowu/machines/reveal/machine'
import { useSelector } from '@xstate/react'
import { Box } from 'ink'
import { useEffect, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { TextInput } from '../text-input.tsx'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useView } from '../use-view.ts'

export type RevealActor = ActorRefFrom<typeof revealMachine>
interface Props {
  readonly actor: RevealActor
  readonly label: string
  readonly locale: Locale
  /** The sign-in form covers the screen. */
  readonly isCovered?: boolean
}

/**
 * Asks for the reason to show one value of personal data, and shows it for some seconds
 * (docs/rules/security.md#d5). Handles all keys until it is closed.
 */
export function RevealScreen({ actor, label, locale, isCovered = false }: Props) {
  const view = useView(actor, revealView)
  const bindings = [
    ...offer(view.can.confirm, 'enter', t(locale, 'pii.show'), () => {}),
    ...offer(
      view.can.close,
      'esc',
      t(locale, view.step === 'showing' ? 'pii.hide' : 'common.cancel'),
      () => actor.send({ type: 'reveal.close' }),
    ),
  ]
  useBindings(bindings, !isCovered)
  if (view.step === 'hidden') return null
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text bold>{t(locale, 'pii.showTitle', { name: label })}</Text>
      {view.step === 'showing' ? (
        <Shown actor={actor} value={view.value ?? ''} locale={locale} />
      ) : (
        <Reason actor={actor} view={view} locale={locale} isActive={!isCovered} />
      )}
      <Keys bindings={bindings} />
    </Box>
  )
}

function Shown({
  actor,
  value,
  locale,
}: Pick<Props, 'actor' | 'locale'> & { readonly value: string }) {
  const time = useSelector(actor, (snapshot) => snapshot.children.revealTime)
  const left = useSelector(time, (snapshot) => snapshot?.context.secondsLeft ?? 0)
  return (
    <Box columnGap={2}>
      <Text bold>{value}</Text>
      <Text dimColor>{t(locale, 'pii.left', { n: left })}</Text>
    </Box>
  )
}

function Reason({
  actor,
  view,
  locale,
  isActive,
}: Pick<Props, 'actor' | 'locale'> & { readonly view: RevealView; readonly isActive: boolean }) {
  return (
    <>
      <Box>
        <Text>{t(locale, 'pii.reason')}: </Text>
        <TextInput
          value={view.reason}
          onChange={(reason) =>
            actor.send({
              type: 'reason.change',
              reason: cutText(reason, limits.reasonLength),
            })
          }
          onSubmit={() => {
            if (view.can.confirm) actor.send({ type: 'reveal.confirm' })
          }}
          isActive={isActive && view.can.change}
        />
      </Box>
      <Text dimColor>{t(locale, 'pii.reasonHint')}</Text>
      {view.fault === null ? null : <Fault>{messageText(locale, view.fault)}</Fault>}
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      {view.step === 'loading' ? <Text dimColor>{t(locale, 'common.loading')}</Text> : null}
    </>
  )
}

interface Revealing {
  readonly actor: RevealActor
  readonly label: string
}
export type MakeReveal = (rowId: string, field: string) => RevealActor

/** The value that is being shown, if any, and what shows one. It is forgotten when it is closed. */
export function useRevealing(make: MakeReveal | undefined): {
  readonly revealing: Revealing | null
  readonly reveal: ((rowId: string, field: Field) => void) | null
} {
  const [revealing, setRevealing] = useState<Revealing | null>(null)
  useEffect(() => {
    if (revealing === null) return undefined
    const { actor } = revealing
    const watch = actor.subscribe((snapshot) => {
      if (snapshot.matches('hidden')) setRevealing(null)
    })
    return () => {
      watch.unsubscribe()
      actor.stop()
    }
  }, [revealing])
  return {
    revealing,
    reveal:
      make === undefined
        ? null
        : (rowId, field) => {
            const actor = make(rowId, field.attrName)
            actor.start()
            actor.send({ type: 'reveal.ask' })
            setRevealing({ actor, label: field.uiLabel })
          },
  }
}
