import { Button, InputGroup, Tag } from '@blueprintjs/core'
import {
  Add,
  CaretDown,
  CaretUp,
  Database,
  NewGridItem,
  Refresh,
  Search,
  Th,
} from '@blueprintjs/icons'
import { compareNames } from '@jiaowu/api/compare-names'
import { limits } from '@jiaowu/api/limits'
import type { EntitySummary } from '@jiaowu/api/entity/definition/stored'
import { toProblem, problemText } from '@jiaowu/api/problem'
import { useEffect, useMemo, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { useTabs } from '../../../app/tab-context.ts'
import { useText } from '../../../app/text-context.ts'
import { onSavedElsewhere } from '../../../app/saved-signal.ts'
import { paths } from '../../../paths.ts'
import { Empty, Failed, Loading } from '../../../ui/resource/page-state.tsx'
import { AdoptDatabase } from './adopt-database.tsx'
import { NewFromTable } from './new-from-table.tsx'
import { definitionsSignal } from '../../../ports/designer-ports.ts'
import { NewFormDialog } from '../table/new-form-dialog.tsx'
import { BringInSheet } from './sheet/bring-in-sheet.tsx'
import { useLoad } from './use-load.ts'

const columns = [
  ['name', 'name'],
  ['tag', 'tag'],
  ['tableName', 'table'],
  ['fieldCount', 'fields'],
  ['version', 'version'],
  ['updateTime', 'updated'],
] as const
type Column = (typeof columns)[number][0]
interface Order {
  readonly by: Column
  readonly asc: boolean
}

/** So many tables that are left out are a part for later. */
const manyTables = 100

interface RowProps {
  readonly entity: EntitySummary
  readonly onDelete: () => void
}

interface HeadProps {
  readonly order: Order
  readonly onOrder: (order: Order) => void
}

/**
 * Page /entity/config: all definitions (docs/spec/2-student-service-and-designer.md §2). There are
 * at most hundreds, so the page searches and sorts them itself.
 */
export function DefinitionsPage() {
  const { t, locale } = useText()
  const { can } = useApi()
  const { data, problem, reload } = useDefinitions()
  const remove = useRemove(reload)
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<Order>({ by: 'updateTime', asc: false })
  const [isCreating, setCreating] = useState(false)
  const [isAdopting, setAdopting] = useState(false)
  const [isBringing, setBringing] = useState(false)
  const [isMaking, setMaking] = useState(false)
  const rows = useMemo(
    () =>
      (data?.records ?? [])
        .filter((entity) => matchesDefinition(entity, search.trim().toLowerCase()))
        .toSorted((a, b) => compareDefinitions(a, b, order)),
    [data, search, order],
  )
  if (!can('entity:design')) return <Empty title={t('problem.forbidden')} />
  if (data === null)
    return problem === null ? (
      <Loading />
    ) : (
      <Failed text={problemText(locale, problem)} onRetry={reload} />
    )
  return (
    <section className="jw-panel jw-designs" aria-label={t('designs.title')}>
      <DefinitionsToolbar
        search={search}
        onSearch={setSearch}
        onNew={() => setCreating(true)}
        onAdopt={can('entity:adopt') ? () => setAdopting(true) : null}
        onSheet={() => setBringing(true)}
        onMake={() => setMaking(true)}
        onReload={reload}
      />
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
      <div className="jw-table-wrap">
        <table className="jw-table" aria-label={t('designs.title')}>
          <Head order={order} onOrder={setOrder} />
          <tbody>
            {rows.map((entity) => (
              <DefinitionRow
                key={entity.id}
                entity={entity}
                onDelete={() => {
                  void remove(entity)
                }}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 ? <Empty title={t('designs.none')} /> : null}
      </div>
      <div className="jw-pager">
        <span className="jw-pager__total">{t('designs.count', { n: rows.length })}</span>
      </div>
      {isCreating ? (
        <NewFromTable
          taken={new Set(data.records.map(({ tag }) => tag))}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {isAdopting ? <AdoptInParts onChanged={reload} onClose={() => setAdopting(false)} /> : null}
      {isMaking ? <MakeForm onChanged={reload} onClose={() => setMaking(false)} /> : null}
      {isBringing ? <BringInSheet onChanged={reload} onClose={() => setBringing(false)} /> : null}
    </section>
  )
}

/** A large database comes in parts: after one the next is offered at once. */
function AdoptInParts({
  onChanged,
  onClose,
}: {
  readonly onChanged: () => void
  readonly onClose: () => void
}) {
  const [parts, setParts] = useState(0)
  return (
    <AdoptDatabase
      key={parts}
      onClose={(isSaved, left) => {
        if (isSaved) onChanged()
        if (isSaved && left >= manyTables) setParts((n) => n + 1)
        else onClose()
      }}
    />
  )
}

/** The dialog of a new table; its designer opens afterwards. */
function MakeForm({
  onChanged,
  onClose,
}: {
  readonly onChanged: () => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const { reloadProfile } = useApi()
  const { toast } = useNotice()
  const { openTab } = useTabs()
  return (
    <NewFormDialog
      onClose={onClose}
      onMade={({ tag, name }) => {
        toast('success', t('tableChange.made', { name }))
        reloadProfile()
        onChanged()
        onClose()
        openTab(paths.design(tag), t('designer.title', { name }))
      }}
    />
  )
}

function useDefinitions() {
  const { api } = useApi()
  const load = useLoad('all', async (signal) => {
    const records: EntitySummary[] = []
    for (let pageNum = 1; ; pageNum += 1) {
      const body = { pageNum, pageSize: limits.maxPageSize, queries: {}, sorts: [] }
      const found = await api.design.page({ body, signal })
      records.push(...found.records)
      if (found.records.length === 0 || records.length >= (found.total ?? 0)) return { records }
    }
  })
  const { reload } = load
  useEffect(
    () =>
      onSavedElsewhere((saved) => {
        if (saved === definitionsSignal) reload()
      }),
    [reload],
  )
  return load
}

function useRemove(reload: () => void) {
  const { t, locale } = useText()
  const { api, reloadProfile } = useApi()
  const { confirm, toast } = useNotice()
  return async ({ id, name }: EntitySummary & { readonly id: string }) => {
    if (
      !(await confirm({
        text: t('designs.delete', { name }),
        danger: true,
        confirmText: t('common.delete'),
      }))
    )
      return
    try {
      await api.design.remove({ params: { id } })
      toast('success', t('designs.deleted'))
      reloadProfile()
    } catch (error) {
      toast('danger', problemText(locale, toProblem(error)), { lasting: true })
    }
    reload()
  }
}

function matchesDefinition({ name, tag, tableName }: EntitySummary, keyword: string): boolean {
  return [name, tag, tableName].some((text) => text.toLowerCase().includes(keyword))
}

function compareDefinitions(a: EntitySummary, b: EntitySummary, { by, asc }: Order): number {
  const [x, y] = [a[by], b[by]]
  return (
    (typeof x === 'number' && typeof y === 'number' ? x - y : compareNames(String(x), String(y))) *
    (asc ? 1 : -1)
  )
}

function DefinitionsToolbar({
  search,
  onSearch,
  onNew,
  onAdopt,
  onSheet,
  onMake,
  onReload,
}: {
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly onNew: () => void
  /** Null for authors who may not bring tables in. */
  readonly onAdopt: (() => void) | null
  readonly onSheet: () => void
  readonly onMake: () => void
  readonly onReload: () => void
}) {
  const { t } = useText()
  return (
    <div className="jw-toolbar">
      <Button intent="primary" icon={<Add />} text={t('designs.new')} onClick={onNew} />
      {onAdopt === null ? null : (
        <>
          <Button
            icon={<Database />}
            text={t('designs.adopt')}
            title={t('designs.codeGeneration')}
            onClick={onAdopt}
          />
          <Button icon={<Th />} text={t('sheetTable.open')} onClick={onSheet} />
          <Button icon={<NewGridItem />} text={t('tableChange.new')} onClick={onMake} />
        </>
      )}
      <span className="jw-toolbar__gap" />
      <InputGroup
        type="search"
        leftElement={<Search className="bp6-icon" size={14} />}
        placeholder={t('designs.search')}
        aria-label={t('designs.search')}
        value={search}
        onValueChange={onSearch}
        className="jw-designs__search"
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

function Head({ order, onOrder }: HeadProps) {
  const { t } = useText()
  return (
    <thead>
      <tr>
        {columns.map(([by, label]) => {
          const state = order.by === by ? (order.asc ? 'ascending' : 'descending') : 'none'
          return (
            <th
              key={by}
              aria-sort={state}
              className={by === 'fieldCount' || by === 'version' ? 'is-right' : ''}
            >
              <button
                type="button"
                className="jw-sort"
                onClick={() => onOrder({ by, asc: order.by === by ? !order.asc : true })}
              >
                {t(`designs.${label}`)}
                <span className="jw-sort__mark" aria-hidden>
                  <CaretUp size={10} className={state === 'ascending' ? 'is-on' : ''} />
                  <CaretDown size={10} className={state === 'descending' ? 'is-on' : ''} />
                </span>
              </button>
            </th>
          )
        })}
        <th>{t('designs.actions')}</th>
      </tr>
    </thead>
  )
}

function DefinitionRow({ entity, onDelete }: RowProps) {
  const { t } = useText()
  const { openTab } = useTabs()
  const { tag, name } = entity
  const open = () => openTab(paths.design(tag), t('designer.title', { name }))
  return (
    <tr onDoubleClick={open}>
      <td>
        <a
          href={`#${paths.design(tag)}`}
          className="jw-designs__name"
          onClick={(event) => {
            event.preventDefault()
            open()
          }}
        >
          {name}
        </a>
        <Badges entity={entity} />
      </td>
      <td>
        <code>{tag}</code>
      </td>
      <td>
        <code>
          {entity.schemaName}.{entity.tableName}
        </code>
      </td>
      <td className="is-right">{entity.fieldCount}</td>
      <td className="is-right">{entity.version}</td>
      <td>
        {entity.updateTime}
        {entity.updateUser === null ? null : <span className="jw-muted"> {entity.updateUser}</span>}
      </td>
      <td>
        <span className="jw-row-actions">
          <Button
            variant="minimal"
            size="small"
            intent="primary"
            text={t('designs.open')}
            onClick={open}
          />
          <Button
            variant="minimal"
            size="small"
            text={t('designs.list')}
            onClick={() => openTab(paths.list(tag), name)}
          />
          {entity.builtIn ? null : (
            <Button
              variant="minimal"
              size="small"
              intent="danger"
              text={t('common.delete')}
              onClick={onDelete}
            />
          )}
        </span>
      </td>
    </tr>
  )
}

function Badges({ entity: { builtIn, hasDrift, schemaName } }: { readonly entity: EntitySummary }) {
  const { t } = useText()
  return (
    <span className="jw-designs__badges">
      <Tag minimal intent={builtIn ? 'none' : 'primary'}>
        {t(builtIn ? 'designs.builtIn' : 'designs.own')}
      </Tag>
      {schemaName === 'sys' ? <Tag minimal>{t('designs.system')}</Tag> : null}
      {hasDrift ? (
        <Tag minimal intent="warning">
          {t('designs.drift')}
        </Tag>
      ) : null}
    </span>
  )
}
