import { t } from '@jiaowu/api/texts/index'
import { transferStage, transferStages } from '@jiaowu/machines/transfer/stages'
import { transferView, type TransferStep } from '@jiaowu/machines/transfer/view'
import { Box } from 'ink'
import { useEffect, useState } from 'react'
import { Text } from '../ui.tsx'
import { Choosing } from './choosing.tsx'
import { Review } from './review.tsx'
import { type PartProps, shownText, type TransferScreenProps, label } from './screen-props.ts'
import { Confirming, Progress, Stopped, Waiting } from './steps.tsx'
import { useView } from '../use-view.ts'

const bodies = {
  uploading: Waiting,
  opening: Waiting,
  sending: Waiting,
  cancelling: Waiting,
  checking: Progress,
  running: Progress,
  reviewing: Review,
  confirming: Confirming,
  paused: Stopped,
  done: Stopped,
  failed: Stopped,
  unopened: Stopped,
} as const satisfies Record<
  Exclude<TransferStep, 'choosing'>,
  (props: PartProps) => React.ReactNode
>

/** Import on a terminal: shows the view of the transfer machine and sends its events for keys. */
export function TransferScreen({ actor, locale, factsOf, savedTo, leave }: TransferScreenProps) {
  const view = useView(actor, transferView)
  const [toast, setToast] = useState<string | null>(null)
  useEffect(() => {
    const subscription = actor.on('toast', ({ message, tone }) => {
      const path = savedTo()
      setToast(
        tone === 'success' && path !== null
          ? t(locale, 'cli.tr.savedTo', { path })
          : shownText(locale, message),
      )
    })
    return () => subscription.unsubscribe()
  }, [actor, locale, savedTo])
  const part: PartProps = {
    view,
    locale,
    leave,
    send: (event) => {
      setToast(null)
      actor.send(event)
    },
  }
  const Body = view.step === 'choosing' ? null : bodies[view.step]
  return (
    <Box flexDirection="column" paddingX={1}>
      <Text bold>
        {t(locale, 'cli.tr.import')} {view.job?.entityName ?? ''}{' '}
        <Text dimColor>
          {view.tag === '' ? (view.job?.tag ?? '') : view.tag}
          {view.job === null
            ? ''
            : `  ${view.job.fileName}  ${t(locale, 'cli.tr.job', { id: view.job.id })}`}
        </Text>
      </Text>
      <Stages {...part} />
      {view.job === null || view.job.message === null || view.job.message === '' ? null : (
        <Text>· {view.job.message}</Text>
      )}
      {Body === null ? <Choosing {...part} factsOf={factsOf} /> : <Body {...part} />}
      {toast === null ? null : <Text color="cyan">{toast}</Text>}
    </Box>
  )
}

function Stages({ view, locale }: PartProps) {
  return (
    <Box columnGap={1} marginBottom={1} flexWrap="wrap">
      {transferStages.map((stage, index) => {
        const now = transferStage(view.step)
        return (
          <Text
            key={stage}
            bold={index === now}
            dimColor={index > now}
            {...(index < now ? { color: 'green' } : index === now ? { color: 'cyan' } : {})}
          >
            {index < now ? '✓' : index === now ? '●' : '○'} {label(locale, `cli.tr.step.${stage}`)}
            {index < transferStages.length - 1 ? ' ─' : ''}
          </Text>
        )
      })}
    </Box>
  )
}
