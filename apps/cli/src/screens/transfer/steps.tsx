import { t } from '@jiaowu/api/texts/index'
import { Box } from 'ink'
import { errorLine, rowsText } from '../../entities/import/job-text.ts'
import { sizeText } from '../../entities/import/size-text.ts'
import { Bar, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useTypeAhead } from '../type-ahead.ts'
import { type PartProps, problemOfView, label } from './screen-props.ts'

/** Waits for the server; the user can only cancel an upload. */
export function Waiting({ view, send, locale }: PartProps) {
  const { step, file, upload, job, can } = view
  const bindings = [
    ...offer(step === 'uploading', 'esc', label(locale, 'common.cancel'), () =>
      send({ type: 'job.cancel' }),
    ),
    ...offer(step === 'opening' && can.restart, 'n', label(locale, 'cli.key.restart'), () =>
      send({ type: 'transfer.restart' }),
    ),
  ]
  useBindings(bindings)
  useTypeAhead(step === 'sending', bindings)
  const text =
    step === 'uploading'
      ? t(locale, 'cli.tr.uploading', { name: file?.name ?? '', size: sizeText(upload?.size ?? 0) })
      : step === 'opening'
        ? t(locale, 'cli.tr.opening', { id: job?.id ?? '' })
        : step === 'cancelling'
          ? t(locale, 'cli.tr.cancelling')
          : t(locale, 'cli.tr.sending')
  return (
    <Box flexDirection="column">
      <Text>{text}…</Text>
      {upload === null ? null : (
        <Bar percent={upload.size === 0 ? null : Math.floor((upload.sent / upload.size) * 100)} />
      )}
      <Keys bindings={bindings} />
    </Box>
  )
}

/** Progress of a job on the server. */
export function Progress({ view, send, locale, leave }: PartProps) {
  const { step, progress, lost, can } = view
  const bindings = [
    ...offer(can.retry, 't', label(locale, 'cli.key.retry'), () =>
      send({ type: 'transfer.retry' }),
    ),
    ...offer(can.cancel, 'x', label(locale, 'cli.key.cancelJob'), () =>
      send({ type: 'job.cancel' }),
    ),
    ...offer(true, 'q', label(locale, 'cli.key.leave'), leave),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      <Text bold>{t(locale, step === 'running' ? 'cli.tr.running' : 'cli.tr.checking')}</Text>
      <Bar percent={progress.percent} />
      <Text>{rowsText(locale, progress)}</Text>
      {lost ? <Text color="yellow">! {t(locale, 'cli.tr.lost')}</Text> : null}
      {view.problem !== null && !lost ? <Fault>{problemOfView(locale, view)}</Fault> : null}
      <Keys bindings={bindings} />
    </Box>
  )
}

/** Asks before an import writes records of the console itself (docs/rules/requests.md#r12). */
export function Confirming({ send, locale }: PartProps) {
  const bindings = [
    ...offer(true, 'y', label(locale, 'cli.key.yes'), () => send({ type: 'run.confirm' })),
    ...offer(true, 'n', label(locale, 'cli.key.no'), () => send({ type: 'run.cancel' })),
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

/** A job that is paused, finished or could not be opened. */
export function Stopped({ view, send, locale, leave }: PartProps) {
  const { job, can, step } = view
  const bindings = [
    ...offer(can.resume, 'enter', label(locale, 'cli.key.resume'), () =>
      send({ type: 'job.resume' }),
    ),
    ...offer(can.retry, 't', label(locale, 'cli.key.retry'), () =>
      send({ type: 'transfer.retry' }),
    ),
    ...offer(can.result && job !== null, 's', label(locale, 'cli.key.result'), () =>
      send({ type: 'result.save', format: job?.format ?? 'xlsx', only: 'all' }),
    ),
    ...offer(
      can.result && job !== null && job.failed > 0,
      'f',
      label(locale, 'cli.key.resultWrong'),
      () => send({ type: 'result.save', format: job?.format ?? 'xlsx', only: 'wrong' }),
    ),
    ...offer(can.cancel, 'x', label(locale, 'cli.key.cancelJob'), () =>
      send({ type: 'job.cancel' }),
    ),
    ...offer(can.restart, 'n', label(locale, 'cli.key.restart'), () =>
      send({ type: 'transfer.restart' }),
    ),
    ...offer(true, 'q', label(locale, 'cli.key.leave'), leave),
  ]
  useBindings(bindings)
  const head = heading(view)
  return (
    <Box flexDirection="column">
      {head === null ? null : (
        <Text bold color={step === 'done' ? 'green' : 'yellow'}>
          {label(locale, head)}
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
      {view.problem === null ? null : <Fault>{problemOfView(locale, view)}</Fault>}
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
