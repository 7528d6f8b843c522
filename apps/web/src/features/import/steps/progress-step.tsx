import { Button, ProgressBar, Spinner } from '@blueprintjs/core'
import type { Job } from '@jiaowu/api/contract/job'
import type { TransferView } from '@jiaowu/machines/transfer/view'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import { sizeText } from '../../../ui/sizes.ts'
import type { Transfer } from '../../transfer/use-transfer.ts'

/** Counts of inserted, updated, skipped and failed rows. */
export function Counts({ job }: { readonly job: Job }) {
  const { t } = useText()
  return (
    <dl className="jw-tr__counts">
      {(['inserted', 'updated', 'skipped', 'failed'] as const).map((name) => (
        <div key={name} className={`is-${name}`}>
          <dt>{t(`import.count.${name}`)}</dt>
          <dd>{job[name]}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Progress of an upload, a check or an import, as the server reports it. */
export function ProgressStep({ transfer: { view, send } }: { readonly transfer: Transfer }) {
  const { t } = useText()
  const { confirm } = useNotice()
  const { step, upload, job, file } = view
  const stop = async () => {
    if (
      step !== 'running' ||
      (await confirm({
        text: t('import.confirmCancel'),
        danger: true,
        confirmText: t('import.stop'),
      }))
    )
      send({ type: 'job.cancel' })
  }
  const waitingKey =
    step === 'opening'
      ? 'import.opening'
      : step === 'cancelling'
        ? 'import.cancelling'
        : 'import.sending'
  return (
    <>
      <div className="jw-tr__body jw-tr__progress" role="status" aria-live="polite">
        {upload !== null ? (
          <Upload upload={upload} name={file?.name ?? ''} />
        ) : job !== null && (step === 'checking' || step === 'running') ? (
          <JobProgress view={view} job={job} />
        ) : (
          <div className="jw-tr__wait">
            <Spinner size={32} />
            <span>{t(waitingKey)}</span>
          </div>
        )}
      </div>
      <div className="jw-tr__foot">
        {view.lost ? (
          <Button text={t('common.retry')} onClick={() => send({ type: 'transfer.retry' })} />
        ) : null}
        {view.can.restart ? (
          <Button text={t('common.back')} onClick={() => send({ type: 'transfer.restart' })} />
        ) : null}
        {view.can.cancel ? (
          <Button
            intent={step === 'running' ? 'danger' : 'none'}
            text={t(step === 'running' ? 'import.stop' : 'common.cancel')}
            onClick={() => {
              void stop()
            }}
          />
        ) : null}
      </div>
    </>
  )
}

function Upload({
  upload,
  name,
}: {
  readonly upload: NonNullable<TransferView['upload']>
  readonly name: string
}) {
  const { t } = useText()
  const share = upload.sent / Math.max(1, upload.size)
  return (
    <>
      <h3>{t('import.uploading', { name })}</h3>
      <ProgressBar
        aria-label={t('import.uploading', { name })}
        intent="primary"
        value={share}
        animate={share >= 1}
        stripes={share >= 1}
      />
      <p className="jw-tr__far">
        <span>
          {share >= 1
            ? t('import.storing')
            : t('import.sent', { sent: sizeText(upload.sent), size: sizeText(upload.size) })}
        </span>
        <span>{Math.floor(share * 100)}%</span>
      </p>
    </>
  )
}

function JobProgress({ view, job }: { readonly view: TransferView; readonly job: Job }) {
  const { t } = useText()
  const { done, total, percent } = view.progress
  const title =
    job.status === 'queued'
      ? t('import.queued')
      : t(view.step === 'running' ? 'import.running' : 'import.checking')
  return (
    <>
      <h3>{title}</h3>
      <ProgressBar
        aria-label={title}
        intent={view.lost ? 'warning' : 'primary'}
        animate={percent === null}
        stripes={percent === null}
        {...(percent === null ? {} : { value: percent / 100 })}
      />
      <p className="jw-tr__far">
        <span>{total === 0 ? job.fileName : t('import.rows', { done, total })}</span>
        <span>{percent === null ? '' : `${percent}%`}</span>
      </p>
      {view.step === 'running' ? <Counts job={job} /> : null}
      {view.lost ? (
        <p className="jw-tr__word jw-tr__lost is-warning">{t('import.lost')}</p>
      ) : (
        <p className="jw-muted">{t('import.closeHint')}</p>
      )}
    </>
  )
}
