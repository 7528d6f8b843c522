import { t } from '@jiaowu/api'
import { Box } from 'ink'
import { errorLine, rowsText } from '../../entities/import/job-text.ts'
import { sizeText } from '../../entities/import/size-text.ts'
import { Bar, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { type PartProps, problemSentence, word } from './screen-props.ts'

/** A moment nobody can do anything about but wait, or give up the upload. */
export function Waiting({ view, send, locale }: PartProps) {
  const { step, file, upload, job, can } = view
  const bindings = [
    ...offer(step === 'uploading', 'esc', word(locale, 'common.cancel'), () =>
      send({ type: 'job.cancel' }),
    ),
    ...offer(step === 'opening' && can.restart, 'n', word(locale, 'cli.key.restart'), () =>
      send({ type: 'transfer.restart' }),
    ),
  ]
  useBindings(bindings)
  const said =
    step === 'uploading'
      ? t(locale, 'cli.tr.uploading', { name: file?.name ?? '', size: sizeText(upload?.size ?? 0) })
      : step === 'opening'
        ? t(locale, 'cli.tr.opening', { id: job?.id ?? '' })
        : step === 'cancelling'
          ? t(locale, 'cli.tr.cancelling')
          : t(locale, 'cli.tr.sending')
  return (
    <Box flexDirection="column">
      <Text>{said}…</Text>
      {upload === null ? null : (
        <Bar percent={upload.size === 0 ? null : Math.floor((upload.sent / upload.size) * 100)} />
      )}
      <Keys bindings={bindings} />
    </Box>
  )
}

/** A job under way at the server: how far it says it is. */
export function Following({ view, send, locale, leave }: PartProps) {
  const { step, progress, lost, can } = view
  const bindings = [
    ...offer(can.retry, 't', word(locale, 'cli.key.retry'), () => send({ type: 'transfer.retry' })),
    ...offer(can.cancel, 'x', word(locale, 'cli.key.cancelJob'), () =>
      send({ type: 'job.cancel' }),
    ),
    ...offer(true, 'q', word(locale, 'cli.key.leave'), leave),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      <Text bold>{t(locale, step === 'running' ? 'cli.tr.running' : 'cli.tr.checking')}</Text>
      <Bar percent={progress.percent} />
      <Text>{rowsText(locale, progress)}</Text>
      {lost ? <Text color="yellow">! {t(locale, 'cli.tr.lost')}</Text> : null}
      {view.problem !== null && !lost ? <Fault>{problemSentence(locale, view)}</Fault> : null}
      <Keys bindings={bindings} />
    </Box>
  )
}

/** The console's own records are written only by those who mean it (docs/rules/requests.md#r12). */
export function Confirming({ send, locale }: PartProps) {
  const bindings = [
    ...offer(true, 'y', word(locale, 'cli.key.yes'), () => send({ type: 'run.confirm' })),
    ...offer(true, 'n', word(locale, 'cli.key.no'), () => send({ type: 'run.cancel' })),
    ...offer(true, 'esc', '', () => send({ type: 'run.cancel' })),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      <Text color="yellow" bold>
        {t(locale, 'cli.tr.confirm')}
      </Text>
      <Keys bindings={bindings} />
    </Box>
  )
}

/** Where a job stands still: paused, over, or not to be had. */
export function Standing({ view, send, locale, leave }: PartProps) {
  const { job, can, step } = view
  const bindings = [
    ...offer(can.resume, 'enter', word(locale, 'cli.key.resume'), () =>
      send({ type: 'job.resume' }),
    ),
    ...offer(can.retry, 't', word(locale, 'cli.key.retry'), () => send({ type: 'transfer.retry' })),
    ...offer(can.result && job !== null, 's', word(locale, 'cli.key.result'), () =>
      send({ type: 'result.save', format: job?.format ?? 'xlsx', only: 'all' }),
    ),
    ...offer(
      can.result && job !== null && job.failed > 0,
      'f',
      word(locale, 'cli.key.resultWrong'),
      () => send({ type: 'result.save', format: job?.format ?? 'xlsx', only: 'wrong' }),
    ),
    ...offer(can.cancel, 'x', word(locale, 'cli.key.cancelJob'), () =>
      send({ type: 'job.cancel' }),
    ),
    ...offer(can.restart, 'n', word(locale, 'cli.key.restart'), () =>
      send({ type: 'transfer.restart' }),
    ),
    ...offer(true, 'q', word(locale, 'cli.key.leave'), leave),
  ]
  useBindings(bindings)
  const head = heading(view)
  return (
    <Box flexDirection="column">
      {head === null ? null : (
        <Text bold color={step === 'done' ? 'green' : 'yellow'}>
          {word(locale, head)}
        </Text>
      )}
      {job === null ? null : (
        <Text>
          {t(locale, 'cli.tr.written', {
            inserted: job.inserted,
            updated: job.updated,
            skipped: job.skipped,
            failed: job.failed,
          })}
        </Text>
      )}
      {view.problem === null ? null : <Fault>{problemSentence(locale, view)}</Fault>}
      {(job?.errors ?? []).slice(0, 10).map((error) => (
        <Text key={`${error.row} ${error.column} ${error.msg}`} color="red">
          {errorLine(locale, error)}
        </Text>
      ))}
      {job !== null && job.failed > 10 ? (
        <Text dimColor>{t(locale, 'cli.tr.moreErrors', { count: job.failed })}</Text>
      ) : null}
      <Keys bindings={bindings} />
    </Box>
  )
}

function heading({ step, job }: PartProps['view']) {
  return step === 'unopened'
    ? null
    : step === 'paused'
      ? ('cli.tr.paused' as const)
      : step === 'done'
        ? job?.dryRun === true
          ? ('cli.tr.checked' as const)
          : ('cli.tr.done' as const)
        : job?.status === 'cancelled'
          ? ('cli.tr.cancelled' as const)
          : ('cli.tr.failed' as const)
}
