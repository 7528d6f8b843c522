import { Button, InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { RecycledPage, RecycledRow } from '@jiaowu/api/contract/entity/history'
import { joinRowIds } from '@jiaowu/api/row-id'
import { recordName } from '@jiaowu/machines/buttons/question'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { type Texts, useText } from '../../../app/text-context.ts'
import { findFieldSurface } from '../../../fields/index.tsx'
import { type AdminColumn, AdminTable } from '../../../ui/admin-table.tsx'
import { Empty } from '../../../ui/resource/page-state.tsx'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useFailureToast } from '../../../ui/use-failure-toast.ts'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { layOutColumns, columnStyle } from '../../../ui/table/columns.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import { PurgeDialog } from './purge-dialog.tsx'
import { Drawer } from '../../../ui/overlays/drawer.tsx'

interface Props {
  readonly config: EntityConfig
  readonly onClose: () => void
  readonly onRestored: () => void
}
interface Query {
  readonly pageNum: number
  readonly pageSize: number
  readonly searchKey: string
}
const firstPage: Query = { pageNum: 1, pageSize: limits.pageSize, searchKey: '' }
/** Enough to recognise a record by. */
const shownColumns = 5

/** Records that a question names. */
const mostNamed = 5

/** Deleted records of an entity: searched, restored, or purged. */
export function RecycleDrawer({ config, onClose, onRestored }: Props) {
  const { t } = useText()
  const { can } = useApi()
  const [toPurge, setToPurge] = useState<readonly string[]>([])
  const [selected, setSelected] = useState<readonly string[]>([])
  const bin = useRecycled(config, {
    onRestored,
    onChanged: () => {
      setSelected([])
      setToPurge([])
    },
  })
  const query = bin.query ?? firstPage
  const isBusy = bin.acting !== null
  const onPurge = can('recycle:purge') ? setToPurge : null
  const restore = (ids: readonly string[]) => bin.start('restore', ids)
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={t('recycle.title', { name: config.name })}
      size="min(980px, 100vw)"
      className="jw-calm jw-recycle"
    >
      <ResourceBody of={bin}>
        {(found) =>
          found.total === 0 && query.searchKey === '' ? (
            <Empty title={t('recycle.empty')} />
          ) : (
            <>
              <RecycleToolbar
                keptDays={found.keptDays}
                selected={selected}
                isBusy={isBusy}
                onSearch={(searchKey) => {
                  setSelected([])
                  bin.show({ ...query, pageNum: 1, searchKey })
                }}
                onRestore={restore}
                onPurge={onPurge}
              />
              <RecycledTable
                config={config}
                rows={found.records}
                selected={selected}
                isBusy={isBusy}
                onSelect={setSelected}
                onRestore={restore}
                onPurge={onPurge}
              />
              <Pager
                total={found.total}
                isEstimate={false}
                pageNum={query.pageNum}
                pageSize={query.pageSize}
                canAsk
                onGo={(pageNum) => bin.show({ ...query, pageNum })}
                onResize={(pageSize) => bin.show({ ...query, pageNum: 1, pageSize })}
              />
            </>
          )
        }
      </ResourceBody>
      {toPurge.length === 0 ? null : (
        <PurgeDialog
          count={toPurge.length}
          names={listSelectedNames(bin.data, toPurge, config)}
          isActing={bin.acting === 'purge'}
          problem={bin.failureOf('purge')}
          onPurge={() => bin.start('purge', toPurge)}
          onClose={() => {
            setToPurge([])
            bin.dismiss('purge')
          }}
        />
      )}
    </Drawer>
  )
}

function listSelectedNames(
  page: RecycledPage | null,
  ids: readonly string[],
  config: EntityConfig,
): readonly string[] {
  return (page?.records ?? [])
    .filter(({ id }) => ids.includes(id))
    .slice(0, mostNamed)
    .map((row) => recordName(row, config))
}

function useRecycled(
  { tag }: EntityConfig,
  { onRestored, onChanged }: { readonly onRestored: () => void; readonly onChanged: () => void },
) {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const toastFailure = useFailureToast()
  const bin = useResource({
    query: firstPage,
    load: (body, signal): Promise<RecycledPage> =>
      api.history.recycled({ params: { tag }, body, signal }),
    actions: {
      restore: (ids: readonly string[]) =>
        api.history.restore({ params: { tag, ids: joinRowIds(ids) } }),
      purge: (ids: readonly string[]) =>
        api.history.purge({ params: { tag, ids: joinRowIds(ids) }, body: { count: ids.length } }),
    },
    onDone: {
      restore: ({ restored }) => {
        toast('success', t('recycle.restored', { n: restored }))
        showFirstPage()
        onRestored()
      },
      purge: ({ purged }) => {
        toast('success', t('recycle.purged', { n: purged }))
        showFirstPage()
      },
    },
    onFailed: { restore: toastFailure },
  })
  // The page in view may not exist any more.
  const showFirstPage = () => {
    onChanged()
    const query = bin.query ?? firstPage
    if (query.pageNum !== 1) bin.show({ ...query, pageNum: 1 })
  }
  return bin
}

function RecycleToolbar({
  keptDays,
  selected,
  isBusy,
  onSearch,
  onRestore,
  onPurge,
}: {
  readonly keptDays: number | null
  readonly selected: readonly string[]
  readonly isBusy: boolean
  readonly onSearch: (searchKey: string) => void
  readonly onRestore: (ids: readonly string[]) => void
  readonly onPurge: ((ids: readonly string[]) => void) | null
}) {
  const { t } = useText()
  const [typed, setTyped] = useState('')
  const disabled = selected.length === 0 || isBusy
  return (
    <div className="jw-toolbar">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(typed.trim())
        }}
      >
        <InputGroup
          type="search"
          leftElement={<Search className="bp6-icon" size={14} />}
          placeholder={t('recycle.search')}
          aria-label={t('recycle.search')}
          maxLength={200}
          value={typed}
          onValueChange={(text) => {
            setTyped(text)
            if (text === '') onSearch('')
          }}
        />
      </form>
      {keptDays === null ? null : (
        <span className="jw-muted">{t('recycle.kept', { n: keptDays })}</span>
      )}
      <span className="jw-toolbar__gap" />
      <Button
        intent="primary"
        variant="outlined"
        disabled={disabled}
        text={t('recycle.restoreSelected', { n: selected.length })}
        onClick={() => onRestore(selected)}
      />
      {onPurge === null ? null : (
        <Button
          intent="danger"
          variant="outlined"
          disabled={disabled}
          text={t('recycle.purgeSelected', { n: selected.length })}
          onClick={() => onPurge(selected)}
        />
      )}
    </div>
  )
}

function RecycledTable({
  config,
  rows,
  selected,
  isBusy,
  onSelect,
  onRestore,
  onPurge,
}: {
  readonly config: EntityConfig
  readonly rows: readonly RecycledRow[]
  readonly selected: readonly string[]
  readonly isBusy: boolean
  readonly onSelect: (ids: readonly string[]) => void
  readonly onRestore: (ids: readonly string[]) => void
  readonly onPurge: ((ids: readonly string[]) => void) | null
}) {
  const { t } = useText()
  return (
    <AdminTable
      columns={recycledColumns(config, t)}
      rows={rows}
      empty={t('recycle.noHits')}
      selection={{ ids: selected, onChange: onSelect }}
      actions={{
        header: t('list.operation'),
        cell: ({ id }) => (
          <RecycledRowActions
            isBusy={isBusy}
            onRestore={() => onRestore([id])}
            onPurge={onPurge === null ? null : () => onPurge([id])}
          />
        ),
      }}
    />
  )
}

function recycledColumns(config: EntityConfig, t: Texts['t']): readonly AdminColumn<RecycledRow>[] {
  return [
    ...layOutColumns(config, false, 0)
      .slice(0, shownColumns)
      .map((column): AdminColumn<RecycledRow> => {
        const { field, label } = column
        const { Cell } = findFieldSurface(field.uiType)
        return {
          key: field.attrName,
          header: label,
          style: columnStyle({ ...column, fixed: null }),
          cell: (row) => (
            <Cell tag={config.tag} field={field} value={row[field.attrName]} row={row} />
          ),
        }
      }),
    { key: 'deletedAt', header: t('recycle.deletedAt'), cell: ({ deletedAt }) => deletedAt },
    {
      key: 'deletedBy',
      header: t('recycle.deletedBy'),
      cell: ({ deletedBy }) => deletedBy ?? '—',
    },
  ]
}

function RecycledRowActions({
  isBusy,
  onRestore,
  onPurge,
}: {
  readonly isBusy: boolean
  readonly onRestore: () => void
  readonly onPurge: (() => void) | null
}) {
  const { t } = useText()
  return (
    <>
      <Button
        size="small"
        variant="minimal"
        intent="primary"
        disabled={isBusy}
        text={t('recycle.restore')}
        onClick={onRestore}
      />
      {onPurge === null ? null : (
        <Button
          size="small"
          variant="minimal"
          intent="danger"
          disabled={isBusy}
          text={t('recycle.purge')}
          onClick={onPurge}
        />
      )}
    </>
  )
}
