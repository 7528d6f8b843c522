import { Button, Callout, Checkbox, SegmentedControl } from '@blueprintjs/core'
import { Comparison, Refresh } from '@blueprintjs/icons'
import type { Discrepancy } from '@jiaowu/api/contract/student/print'
import { schoolDay } from '@jiaowu/api/formats'
import { useId, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { DayInput } from '../../fields/dates/day-input.tsx'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useFailureToast } from '../../ui/use-failure-toast.ts'
import { useResource } from '../../ui/resource/use-resource.ts'
import { CheckDialog, SettleDialog } from './reconcile-dialogs.tsx'
import { DiscrepancyTable, type OpenDialog } from './discrepancy-table.tsx'

interface Query {
  readonly settled: boolean
  /** Only discrepancies of this day; null: of all days. */
  readonly day: string | null
}
const dayMs = 86_400_000
/** Yesterday in China: the newest bill that is complete at the provider. */
const lastDay = (now = Date.now()): string => schoolDay(now - dayMs)
const today = (now = Date.now()): string => schoolDay(now)

/**
 * /print/reconciliation: compares a day's bill of the payment provider with our orders and lists
 * the discrepancies (docs/rules/contract.md#student-service, docs/rules/security.md#payments).
 */
export function ReconcilePage() {
  const { t } = useText()
  const [day, setDay] = useState(lastDay)
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const page = useDiscrepancies(() => setOpen(null))
  const query = page.query ?? allOpen
  const result = page.outputOf('reconcile')
  const close = () => {
    setOpen(null)
    page.dismiss('settle')
    page.dismiss('check')
  }
  return (
    <section className="jw-panel jw-reconcile" aria-label={t('reconcile.title')}>
      <ReconcileToolbar
        day={day}
        query={query}
        isRunning={page.acting === 'reconcile'}
        onDay={(next) => {
          setDay(next)
          if (query.day !== null) page.show({ ...query, day: next })
        }}
        onQuery={page.show}
        onRun={() => page.start('reconcile', day)}
        onReload={page.reload}
      />
      {result === null ? null : (
        <Callout
          className="jw-reconcile__result"
          intent={result.found === 0 ? 'success' : 'warning'}
        >
          {t(result.found === 0 ? 'reconcile.fits' : 'reconcile.ran', result)}
        </Callout>
      )}
      <ResourceBody of={page}>
        {(rows) => <DiscrepancyTable rows={rows} isSettled={query.settled} onOpen={setOpen} />}
      </ResourceBody>
      {open?.kind === 'settle' ? (
        <SettleDialog
          row={open.row}
          isActing={page.acting === 'settle'}
          problem={page.failureOf('settle')}
          onSubmit={(note) => page.start('settle', { id: open.row.id, note })}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'check' ? (
        <CheckDialog
          row={open.row}
          agree={open.agree}
          isActing={page.acting === 'check'}
          problem={page.failureOf('check')}
          onSubmit={() => page.start('check', { id: open.row.id, agree: open.agree })}
          onClose={close}
        />
      ) : null}
    </section>
  )
}

const allOpen: Query = { settled: false, day: null }

function useDiscrepancies(onDecided: () => void) {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const toastFailure = useFailureToast()
  return useResource({
    query: allOpen,
    load: ({ settled, day }, signal): Promise<readonly Discrepancy[]> =>
      api.print.discrepancies({
        query: { open: settled ? '0' : '1', ...(day === null ? {} : { day }) },
        signal,
      }),
    actions: {
      reconcile: async (day: string) => ({
        day,
        ...(await api.print.reconcile({ body: { day } })),
      }),
      settle: ({ id, note }: { readonly id: string; readonly note: string }) =>
        api.print.settleDiscrepancy({ params: { id }, body: { note } }),
      check: async ({ id, agree }: { readonly id: string; readonly agree: boolean }) => {
        await api.print.checkDiscrepancy({ params: { id }, body: { agree } })
        return agree
      },
    },
    onDone: {
      settle: () => {
        toast('success', t('reconcile.settledDone'), { lasting: true })
        onDecided()
      },
      check: (agree) => {
        toast('success', t(agree ? 'reconcile.checked' : 'reconcile.reopened'))
        onDecided()
      },
    },
    onFailed: { reconcile: toastFailure },
  })
}

function ReconcileToolbar({
  day,
  query,
  isRunning,
  onDay,
  onQuery,
  onRun,
  onReload,
}: {
  readonly day: string
  readonly query: Query
  readonly isRunning: boolean
  readonly onDay: (day: string) => void
  readonly onQuery: (query: Query) => void
  readonly onRun: () => void
  readonly onReload: () => void
}) {
  const { t } = useText()
  const id = useId()
  return (
    <div className="jw-toolbar">
      <span className="jw-reconcile__day">
        <label htmlFor={id}>{t('reconcile.day')}</label>
        <DayInput id={id} value={day} max={today()} onChange={onDay} />
      </span>
      <Button
        intent="primary"
        icon={<Comparison />}
        text={t('reconcile.run')}
        loading={isRunning}
        onClick={onRun}
      />
      <span className="jw-toolbar__gap" />
      <Checkbox
        className="jw-reconcile__only"
        checked={query.day !== null}
        label={t('reconcile.onlyDay')}
        onChange={(event) => onQuery({ ...query, day: event.currentTarget.checked ? day : null })}
      />
      <SegmentedControl
        role="radiogroup"
        size="small"
        aria-label={t('reconcile.title')}
        value={query.settled ? 'settled' : 'open'}
        onValueChange={(value) => onQuery({ ...query, settled: value === 'settled' })}
        options={[
          { value: 'open', label: t('reconcile.open') },
          { value: 'settled', label: t('reconcile.settled') },
        ]}
      />
      <Button
        variant="minimal"
        icon={<Refresh />}
        aria-label={t('common.refresh')}
        title={t('common.refresh')}
        onClick={onReload}
      />
    </div>
  )
}
