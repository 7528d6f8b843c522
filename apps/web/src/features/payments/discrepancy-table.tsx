import { Button, Tag } from '@blueprintjs/core'
import type { Discrepancy } from '@jiaowu/api/contract/student/print'
import { schoolTime } from '@jiaowu/api/formats'
import { type Texts, useText } from '../../app/text-context.ts'
import { type AdminColumn, AdminTable } from '../../ui/admin-table.tsx'
import { yuan } from './yuan.ts'

export type OpenDialog =
  | { readonly kind: 'settle'; readonly row: Discrepancy }
  | { readonly kind: 'check'; readonly row: Discrepancy; readonly agree: boolean }

/** Discrepancies that are open, or those that are settled. */
export function DiscrepancyTable({
  rows,
  isSettled,
  onOpen,
}: {
  readonly rows: readonly Discrepancy[]
  readonly isSettled: boolean
  readonly onOpen: (dialog: OpenDialog) => void
}) {
  const { t } = useText()
  return (
    <AdminTable
      label={t('reconcile.title')}
      columns={[...amountColumns(t), ...(isSettled ? settledColumns(t) : openColumns(t))]}
      rows={rows}
      empty={t(isSettled ? 'reconcile.noneSettled' : 'reconcile.none')}
      actions={{
        header: t('reconcile.actions'),
        cell: (row) => <DiscrepancyRowActions row={row} onOpen={onOpen} />,
      }}
    />
  )
}

type Translate = Texts['t']

function amountColumns(t: Translate): readonly AdminColumn<Discrepancy>[] {
  return [
    { key: 'day', header: t('reconcile.day'), cell: ({ day }) => day },
    { key: 'orderNo', header: t('reconcile.orderNo'), cell: ({ orderNo }) => orderNo },
    {
      key: 'kind',
      header: t('reconcile.kind'),
      cell: ({ kind }) => t(`reconcile.kind.${kind}`),
    },
    {
      key: 'ours',
      header: t('reconcile.ours'),
      align: 'right',
      cell: ({ ourFen }) => yuan(ourFen),
    },
    {
      key: 'theirs',
      header: t('reconcile.theirs'),
      align: 'right',
      cell: ({ theirFen }) => yuan(theirFen),
    },
    {
      key: 'gap',
      header: t('reconcile.gap'),
      align: 'right',
      cell: ({ ourFen, theirFen }) => yuan((theirFen ?? 0) - (ourFen ?? 0)),
    },
  ]
}

function openColumns(t: Translate): readonly AdminColumn<Discrepancy>[] {
  return [
    {
      key: 'found',
      header: t('reconcile.found'),
      cell: ({ createTime }) => schoolTime(createTime),
    },
  ]
}

function settledColumns(t: Translate): readonly AdminColumn<Discrepancy>[] {
  return [
    {
      key: 'settledBy',
      header: t('reconcile.settledBy'),
      cell: ({ settledBy, settledAt }) =>
        `${settledBy ?? '—'}${settledAt === null ? '' : ` · ${schoolTime(settledAt)}`}`,
    },
    {
      key: 'note',
      header: t('reconcile.note'),
      title: ({ note }) => note ?? '',
      cell: ({ note }) => <span className="jw-cell jw-refund__reason">{note ?? '—'}</span>,
    },
  ]
}

function DiscrepancyRowActions({
  row,
  onOpen,
}: {
  readonly row: Discrepancy
  readonly onOpen: (dialog: OpenDialog) => void
}) {
  const { t } = useText()
  if (!row.settled)
    return (
      <Button
        variant="minimal"
        size="small"
        intent="primary"
        text={t('reconcile.settle')}
        onClick={() => onOpen({ kind: 'settle', row })}
      />
    )
  if (row.checkedAt !== null)
    return (
      <Tag minimal intent="success">
        {t('reconcile.checked')}
        {row.checkedBy === null ? '' : ` · ${row.checkedBy}`}
      </Tag>
    )
  if (!row.mayCheck) return <span className="jw-muted">{t('reconcile.needsOther')}</span>
  return (
    <span className="jw-row-actions">
      <Button
        variant="minimal"
        size="small"
        intent="primary"
        text={t('reconcile.agree')}
        onClick={() => onOpen({ kind: 'check', row, agree: true })}
      />
      <Button
        variant="minimal"
        size="small"
        intent="danger"
        text={t('reconcile.reopen')}
        onClick={() => onOpen({ kind: 'check', row, agree: false })}
      />
    </span>
  )
}
