import type { Locale } from '@jiaowu/api/locale'
import { messageText, t } from '@jiaowu/api/texts/index'
import { problemText } from '@jiaowu/api/problem'
import { buttonsMachine } from '@jiaowu/machines/buttons/machine'
import { type ButtonsView, buttonsView } from '@jiaowu/machines/buttons/view'
import { Box } from 'ink'
import type { ActorRefFrom } from 'xstate'
import { type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useView } from '../use-view.ts'

export type ButtonsActor = ActorRefFrom<typeof buttonsMachine>

interface PressScreenProps {
  readonly actor: ButtonsActor
  readonly locale: Locale
  /** Something stands over the screen (the session ended): it hears no keys. */
  readonly isCovered?: boolean
}

/** A pressed button on a terminal: its question, its progress, and a failure that can be retried. */
export function PressScreen({ actor, locale, isCovered = false }: PressScreenProps) {
  const view = useView(actor, buttonsView)
  const bindings = listPressBindings(view, actor, locale)
  useBindings(bindings, !isCovered)
  if (view.pressed === null || view.step === 'closed') return null
  return (
    <Box flexDirection="column" paddingX={1}>
      <Text bold>{view.pressed.name}</Text>
      {view.question === null ? null : (
        <Text color="yellow">
          {typeof view.question === 'string' ? view.question : messageText(locale, view.question)}
        </Text>
      )}
      {view.step === 'pressing' ? (
        <Text dimColor>{t(locale, 'cli.press.busy', { name: view.pressed.name })}</Text>
      ) : null}
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      <Keys bindings={bindings} />
    </Box>
  )
}

function listPressBindings(
  { step, can }: ButtonsView,
  actor: ButtonsActor,
  locale: Locale,
): readonly Binding[] {
  const cancel = () => actor.send({ type: 'press.cancel' })
  return [
    ...offer(can.confirm, 'y', t(locale, 'cli.key.yes'), () =>
      actor.send({ type: 'press.confirm' }),
    ),
    ...offer(can.cancel, 'n', t(locale, 'cli.key.no'), cancel),
    ...offer(can.cancel, 'esc', '', cancel),
    ...offer(can.retry, 't', t(locale, 'common.retry'), () => actor.send({ type: 'press.retry' })),
    ...offer(can.dismiss, 'esc', t(locale, 'cli.key.leave'), () =>
      actor.send({ type: 'press.dismiss' }),
    ),
    ...offer(step === 'pressing', 'esc', t(locale, 'cli.press.abort'), () =>
      actor.send({ type: 'buttons.close' }),
    ),
  ]
}
