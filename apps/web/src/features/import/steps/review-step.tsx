import { Button, Tab, Tabs, Tag } from '@blueprintjs/core'
import { Download, Refresh, Undo } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Job } from '@jiaowu/api/contract/job'
import { problemDetail } from '@jiaowu/api/problem'
import type { ReviewView, TransferView } from '@jiaowu/machines/transfer/view'
import { useEffect, useId, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { Ask } from '../../../ui/overlays/ask.tsx'
import { ChoiceBar } from './choice-fields.tsx'
import { FixedValues } from '../tables/fixed-values.tsx'
import { MappingTable } from '../tables/mapping-table.tsx'
import { ReviewRows, VerdictTabs } from '../tables/rows-table.tsx'
import { SheetPanel } from '../tables/sheet-panel.tsx'
import type { Transfer } from '../../transfer/use-transfer.ts'

interface Props {
  readonly transfer: Transfer
  readonly config: EntityConfig
  readonly job: Job
  readonly review: ReviewView
}

type ReviewTab = 'rows' | 'mapping' | 'file'

interface PartProps extends Omit<Props, 'transfer'> {
  readonly view: TransferView
  readonly send: Transfer['send']
}

/**
 * Review of the checked rows, the columns and the choices before anything is written
 * (docs/rules/requests.md#r3).
 */
export function ReviewStep({ transfer: { view, send }, config, job, review }: Props) {
  const { t } = useText()
  return (
    <>
      <div className="jw-tr__body">
        <p className="jw-tr__sheet">
          {job.total === 0
            ? job.fileName
            : t('import.sheetLine', { file: job.fileName, total: job.total })}
        </p>
        <ChoiceBar
          choices={view.choices}
          modes={view.modes}
          keys={review.fields.filter(({ unique }) => unique)}
          disabled={view.step !== 'reviewing'}
          onChange={(choices) => send({ type: 'choices.change', choices })}
        />
        <Messages view={view} config={config} job={job} review={review} send={send} />
        <ReviewTabs view={view} config={config} job={job} review={review} send={send} />
      </div>
      <Actions view={view} config={config} job={job} review={review} send={send} />
      <Ask
        isOpen={view.step === 'confirming'}
        text={t('import.confirmOwn')}
        confirmText={t('import.run', { n: review.counts.fresh + review.counts.changed })}
        onAnswer={(yes) => send({ type: yes ? 'run.confirm' : 'run.cancel' })}
      />
    </>
  )
}

/** Shows the obstacles to the import, or its effects. */
function Messages({ view, job, review, send }: PartProps) {
  const { t, locale } = useText()
  const { wrong, fresh, changed } = review.counts
  const busy = view.step !== 'reviewing'
  const skips = job.onError === 'skip'
  return (
    <div className="jw-tr__words">
      {view.problem === null || review.rows.state === 'failed' ? null : (
        <p className="jw-fault" role="alert">
          {problemDetail(locale, view.problem)}
        </p>
      )}
      {job.phase === 'mapping' && job.message !== null ? (
        <p className="jw-tr__word is-warning">{job.message}</p>
      ) : null}
      {review.missing.length === 0 ? null : (
        <p className="jw-tr__word is-warning">
          {t('import.missing', { fields: review.missing.join('、') })}
        </p>
      )}
      {review.notes.map((note) => (
        <p key={note} className="jw-tr__word">
          {note}
        </p>
      ))}
      <ExistingRows review={review} busy={busy} send={send} />
      {wrong === 0 || review.edited ? null : (
        <div className={`jw-tr__word ${skips ? 'is-warning' : 'is-danger'}`}>
          <span>{t(skips ? 'import.wrongSkip' : 'import.wrongAbort', { n: wrong })}</span>
          <span className="jw-tr__ways">
            <Button
              size="small"
              icon={<Download />}
              text={t('import.saveWrong')}
              disabled={!view.can.result}
              loading={view.saving === 'result'}
              onClick={() => send({ type: 'result.save', format: job.format, only: 'wrong' })}
            />
            {skips ? null : (
              <Button
                size="small"
                text={t('import.skipWrong')}
                disabled={busy}
                onClick={() => send({ type: 'choices.change', choices: { onError: 'skip' } })}
              />
            )}
          </span>
        </div>
      )}
      {job.phase !== 'mapping' && fresh + changed === 0 && wrong === 0 ? (
        <p className="jw-tr__word">{t('import.nothing')}</p>
      ) : null}
    </div>
  )
}

/** Rows that should be new exist: one press changes their records instead. */
function ExistingRows({
  review: { existing, edited },
  busy,
  send,
}: Pick<PartProps, 'review' | 'send'> & { readonly busy: boolean }) {
  const { t } = useText()
  if (existing === null || edited) return null
  const { field, choices, isFound } = existing
  return (
    <div className="jw-tr__word is-warning">
      <span>{t(isFound ? 'import.existing' : 'import.existing.maybe', { field })}</span>
      <span className="jw-tr__ways">
        <Button
          size="small"
          intent="primary"
          variant="outlined"
          text={t(choices.mode === 'update' ? 'import.existing.update' : 'import.existing.upsert')}
          disabled={busy}
          onClick={() => send({ type: 'choices.change', choices })}
        />
      </span>
    </div>
  )
}

function ReviewTabs({ view, config, job, review, send }: PartProps) {
  const { t } = useText()
  const mustMap = job.phase === 'mapping'
  const busy = view.step !== 'reviewing'
  const isBroken = review.file.encoding?.isBroken === true
  const first = isBroken ? 'file' : mustMap ? 'mapping' : 'rows'
  const [tab, setTab] = useState<ReviewTab>(first)
  useEffect(() => setTab(first), [first, job.id])
  return (
    <Tabs id={useId()} selectedTabId={tab} onChange={(next) => setTab(next as ReviewTab)}>
      {mustMap ? null : (
        <Tab
          id="rows"
          title={t('import.tab.rows')}
          panel={
            <>
              <VerdictTabs
                review={review}
                disabled={busy}
                onShow={(verdict) => send({ type: 'rows.show', verdict })}
              />
              <ReviewRows
                review={review}
                config={job.can.mend === true ? config : null}
                mayMend={view.can.mend}
                problem={view.problem}
                disabled={busy}
                send={send}
              />
            </>
          }
        />
      )}
      <Tab
        id="mapping"
        title={
          <>
            {t('import.tab.mapping')}
            {review.edited ? (
              <Tag minimal round intent="primary" className="jw-tr__mark">
                {t('import.by.changed')}
              </Tag>
            ) : null}
          </>
        }
        panel={
          <>
            <FixedValues config={config} review={review} disabled={busy} send={send} />
            <MappingTable
              review={review}
              mayChange={job.mode !== 'insert'}
              disabled={busy}
              send={send}
            />
          </>
        }
      />
      {review.file.preview.length === 0 ? null : (
        <Tab
          id="file"
          title={t('import.tab.file')}
          panel={
            <SheetPanel
              key={`${job.id} ${review.file.headerRow} ${job.sheet?.name ?? ''} ${review.file.encoding?.name ?? ''}`}
              file={review.file}
              disabled={busy}
              send={send}
            />
          }
        />
      )}
    </Tabs>
  )
}

function Actions({ view, job, review, send }: PartProps) {
  const { t } = useText()
  return (
    <div className="jw-tr__foot">
      <Button
        text={t('import.giveUp')}
        disabled={!view.can.cancel && !view.can.restart}
        onClick={() => send({ type: view.can.cancel ? 'job.cancel' : 'transfer.restart' })}
      />
      <span className="jw-muted jw-tr__note">{review.edited ? t('import.edited') : ''}</span>
      {review.edited ? (
        <Button
          icon={<Undo />}
          text={t('import.undo')}
          disabled={!view.can.resetMapping}
          onClick={() => send({ type: 'mapping.reset' })}
        />
      ) : null}
      {review.edited || job.phase === 'mapping' ? (
        <Button
          intent="primary"
          icon={<Refresh />}
          text={t('import.check')}
          disabled={!view.can.check}
          loading={view.step === 'sending'}
          onClick={() => send({ type: 'job.check' })}
        />
      ) : (
        <Button
          intent="primary"
          text={t('import.run', { n: review.counts.fresh + review.counts.changed })}
          disabled={!view.can.run}
          loading={view.step === 'sending'}
          onClick={() => send({ type: 'job.run' })}
        />
      )}
    </div>
  )
}
