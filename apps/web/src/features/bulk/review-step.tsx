import { Button, InputGroup } from '@blueprintjs/core'
import { ArrowLeft } from '@blueprintjs/icons'
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import { onErrorChoices } from '@jiaowu/api/contract/job'
import { problemText } from '@jiaowu/api/problem'
import { useId } from 'react'
import { buildApplyMessage } from '@jiaowu/machines/bulk-edit/view'
import { useText } from '../../app/text-context.ts'
import { BulkCounts, ChangedRows, RefusedRows, SetWords } from './job-rows.tsx'
import type { Bulk } from './use-bulk.ts'

/**
 * Preview of the job: what would change in each row, before anything is written, and the button to
 * apply it.
 */
export function ReviewStep({
  bulk,
  job,
  recycles,
  onClose,
}: {
  readonly bulk: Bulk
  readonly job: BulkJob
  readonly recycles: boolean
  readonly onClose: () => void
}) {
  const { t, messageText, locale } = useText()
  const { view, send } = bulk
  const { action, changed } = job
  return (
    <>
      <div className="jw-tr__body">
        {view.problem === null ? null : (
          <p className="jw-fault" role="alert">
            {problemText(locale, view.problem)}
          </p>
        )}
        <SetWords job={job} />
        <BulkCounts job={job} over={false} />
        {changed === 0 ? (
          <p className="jw-tr__word">{t('bulk.nothing')}</p>
        ) : (
          <OnErrorChoice bulk={bulk} />
        )}
        {action === 'delete' && changed > 0 ? (
          <p className={`jw-tr__word${recycles ? '' : ' is-danger'}`}>
            {t(recycles ? 'bulk.bin' : 'bulk.forGood')}
          </p>
        ) : null}
        <RefusedRows job={job} bulk={bulk} />
        <ChangedRows job={job} />
      </div>
      {view.step === 'confirming' ? (
        <div className="jw-tr__foot">
          <TypeCount job={job} bulk={bulk} />
        </div>
      ) : (
        <div className="jw-tr__foot">
          {action === 'delete' ? (
            <Button text={t('common.cancel')} onClick={onClose} />
          ) : (
            <Button
              icon={<ArrowLeft />}
              text={t('bulk.again.update')}
              disabled={!view.can.back}
              onClick={() => send({ type: 'preview.back' })}
            />
          )}
          <Button
            intent={action === 'delete' ? 'danger' : 'primary'}
            text={messageText(buildApplyMessage(job, locale))}
            disabled={!view.can.apply}
            loading={view.step === 'applying'}
            onClick={() => send({ type: 'apply.start' })}
          />
        </div>
      )}
    </>
  )
}

/**
 * Shows the choice when some rows are refused. All-or-nothing is offered only where the server
 * supports it.
 */
function OnErrorChoice({ bulk: { view, send } }: { readonly bulk: Bulk }) {
  const { t } = useText()
  const name = useId()
  return (
    <fieldset className="jw-bulk__onerror" disabled={view.step !== 'reviewing'}>
      {onErrorChoices.toReversed().map((choice) => (
        <label key={choice} className={choice === 'abort' && !view.can.together ? 'jw-muted' : ''}>
          <input
            type="radio"
            name={name}
            value={choice}
            checked={view.onError === choice}
            disabled={choice === 'abort' && !view.can.together}
            onChange={() => send({ type: 'onError.change', onError: choice })}
          />
          {t(`bulk.onError.${choice}`)}
        </label>
      ))}
    </fieldset>
  )
}

/** Confirmation of a large job: the user types the number of rows. */
function TypeCount({ job, bulk: { view, send } }: { readonly job: BulkJob; readonly bulk: Bulk }) {
  const { t, messageText, locale } = useText()
  const id = useId()
  return (
    <form
      className="jw-bulk__type"
      onSubmit={(event) => {
        event.preventDefault()
        if (view.can.confirm) send({ type: 'apply.confirm' })
      }}
    >
      <label htmlFor={id}>{t('bulk.type', { n: job.changed.toLocaleString(locale) })}</label>
      <InputGroup
        id={id}
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        aria-label={t('bulk.typeLabel')}
        value={view.typed}
        onValueChange={(text) => send({ type: 'count.type', text })}
      />
      <Button text={t('common.cancel')} onClick={() => send({ type: 'apply.cancel' })} />
      <Button
        type="submit"
        intent={job.action === 'delete' ? 'danger' : 'primary'}
        text={messageText(buildApplyMessage(job, locale))}
        disabled={!view.can.confirm}
      />
    </form>
  )
}
