import { Button } from '@blueprintjs/core'
import { Edit, Trash } from '@blueprintjs/icons'
import type { BulkAction } from '@jiaowu/api/contract/entity/bulk'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import { Suspense, useState } from 'react'
import { askedWhere } from '../../ports/asked-where.ts'
import { useText } from '../../app/text-context.ts'
import { openBulk } from './use-bulk.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const BulkDrawer = lazyPart(() => import('./bulk-drawer.tsx').then((module) => module.BulkDrawer))

export interface Open {
  readonly action: BulkAction
  readonly selection: Parameters<typeof BulkDrawer>[0]['selection']
  readonly count: number
  readonly job: string | null
}

/** State of the bulk drawer. A job that was running before a reload opens by itself. */
export const useBulkDrawer = (tag: string) => useState<Open | null>(() => restoreOpenBulk(tag))

function restoreOpenBulk(tag: string): Open | null {
  const kept = openBulk(tag)
  return kept === null
    ? null
    : { action: kept.action, selection: kept.selection, count: 0, job: kept.id }
}

/** Bulk actions on the selected rows. */
export function BulkButtons({
  view,
  onOpen,
}: {
  readonly view: EntityListView
  readonly onOpen: (open: Open) => void
}) {
  const { t } = useText()
  const { may, can } = view
  const open = (action: BulkAction) =>
    onOpen({ action, selection: toBulkSelection(view), count: view.chosen, job: null })
  return (
    <>
      {may.bulkUpdate ? (
        <Button
          icon={<Edit />}
          text={t('bulk.edit')}
          disabled={!can.bulk}
          onClick={() => open('update')}
        />
      ) : null}
      {may.bulkDelete && view.matching !== null ? (
        <Button
          icon={<Trash />}
          text={t('bulk.delete')}
          disabled={!can.bulk}
          onClick={() => open('delete')}
        />
      ) : null}
    </>
  )
}

function toBulkSelection({ matching, selected, applied, where }: EntityListView) {
  return matching === null
    ? { ids: selected }
    : { queries: applied, except: matching, ...askedWhere(where) }
}

/** The bulk drawer; null: closed. `onChanged`: the job has changed rows. */
export function BulkEdit({
  config,
  open,
  onClose,
  onChanged,
}: {
  readonly config: EntityConfig
  readonly open: Open | null
  readonly onClose: () => void
  readonly onChanged: () => void
}) {
  return open === null ? null : (
    <Suspense fallback={null}>
      <BulkDrawer config={config} {...open} onClose={onClose} onChanged={onChanged} />
    </Suspense>
  )
}
