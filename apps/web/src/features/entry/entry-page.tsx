import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { EntrySheet } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import { problemText } from '@jiaowu/api/problem'
import type { Values } from '@jiaowu/api/entity/values'
import type { EntryBy } from '@jiaowu/machines/entry-sheet/ports'
import type { EntryView } from '@jiaowu/machines/entry-sheet/view'
import { EntryAdd } from './entry-add.tsx'
import { Suspense, useId, useMemo, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { findFieldSurface } from '../../fields/index.tsx'
import { useApi } from '../../app/api-context.ts'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import { Failed, Loading } from '../../ui/resource/page-state.tsx'
import { useLoad } from '../designer/definitions/use-load.ts'
import type { Widths } from '../../ui/table/columns.ts'
import { EntryTools } from './entry-tools.tsx'
import { OpenEntryList } from './open-entry-list.tsx'
import { useEntry } from './use-entry.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import './entry.css'

const EntityGrid = lazyPart(() =>
  import('../grid/entity-grid.tsx').then((module) => module.EntityGrid),
)

/**
 * Rows that are entered together, such as the grades of a course and term: the values that name them
 * are chosen, then they stand in a grid (docs/rules/contract.md#entry-sheets).
 */
export function EntryPage({ tag, search }: { readonly tag: string; readonly search: string }) {
  const { locale } = useText()
  const { api } = useApi()
  const { data, problem, reload } = useLoad(tag, (signal) =>
    api.entityData.config({ params: { tag }, signal }),
  )
  if (data === null)
    return problem === null ? (
      <Loading />
    ) : (
      <Failed text={problemText(locale, problem)} onRetry={reload} />
    )
  return data.entry === undefined ? (
    <NoEntry />
  ) : (
    <Entry config={data} entry={data.entry} search={search} />
  )
}

function NoEntry() {
  const { t } = useText()
  return <Failed lead={null} text={t('entry.notHere')} onRetry={() => location.reload()} />
}

interface EntryProps {
  readonly config: EntityConfig
  readonly entry: NonNullable<EntityConfig['entry']>
  readonly search: string
}

function Entry({ config, entry, search }: EntryProps) {
  const { t, locale } = useText()
  const { moveTab } = useTabs()
  const { pathname } = useLocation()
  const { tag } = config
  const [opened, setOpened] = useState<string | null>(null)
  const { actor, view, onDirty } = useEntry(tag, byOfAddress(entry, search))
  const fields = entry.by.flatMap(
    (name) => config.fields.find(({ attrName }) => attrName === name) ?? [],
  )
  return (
    <div className="jw-list">
      <section className="jw-panel jw-entry">
        <Chooser
          key={opened}
          initial={opened ?? search}
          tag={tag}
          fields={fields}
          view={view}
          search={search}
          onChoose={(by) => actor.send({ type: 'entry.choose', by })}
        />
        <EntryTools view={view} send={(event) => actor.send(event)}>
          <EntryAdd config={config} view={view} send={(event) => actor.send(event)} />
        </EntryTools>
      </section>
      <section className="jw-panel">
        {view.step === 'choosing' ? (
          <>
            <p className="jw-entry__hint jw-muted">
              {t('entry.choose', { labels: fields.map(({ uiLabel }) => uiLabel).join('、') })}
            </p>
            <OpenEntryList
              tag={tag}
              fields={fields}
              onOpen={(by) => {
                const address = `?${new URLSearchParams(by).toString()}`
                moveTab(`${pathname}${search}`, `${pathname}${address}`)
                setOpened(address)
                actor.send({ type: 'entry.choose', by })
              }}
            />
          </>
        ) : view.step === 'failed' ? (
          <Failed
            text={view.problem === null ? '' : problemText(locale, view.problem)}
            onRetry={() => actor.send({ type: 'entry.refresh' })}
          />
        ) : view.state === null || view.by === null ? (
          <Loading />
        ) : (
          <Rows tag={tag} entry={entry} by={view.by} isOpen={view.isOpen} onDirty={onDirty} />
        )}
      </section>
    </div>
  )
}

/** The values that name the sheet, which are in the address too. */
function Chooser({
  tag,
  fields,
  view,
  initial,
  search,
  onChoose,
}: {
  readonly tag: string
  /** The address of the sheet that it begins with. */
  readonly initial: string
  readonly fields: readonly Field[]
  readonly view: EntryView
  readonly search: string
  readonly onChoose: (by: EntryBy | null) => void
}) {
  const { moveTab } = useTabs()
  const { pathname } = useLocation()
  const [values, setValues] = useState<Values>(() => valuesOfAddress(fields, initial))
  const named = view.state?.by ?? {}
  const form = useId()
  const change = (next: Values) => {
    setValues(next)
    const ids = fields.map(({ attrName }) => [attrName, readEntryId(next[attrName])] as const)
    const given = ids.filter(([, id]) => id !== '')
    const address = new URLSearchParams(given.map(([name, id]) => [name, id])).toString()
    moveTab(`${pathname}${search}`, `${pathname}${address === '' ? '' : `?${address}`}`)
    onChoose(given.length === fields.length ? Object.fromEntries(given) : null)
  }
  return (
    <div className="jw-entry__by">
      {fields.map((field) => {
        const { attrName, uiLabel, uiType } = field
        const { Control } = findFieldSurface(uiType)
        const value = values[attrName] ?? null
        const isNamed = readEntryId(value) !== '' && named[attrName]?.[0]?.id === readEntryId(value)
        return (
          <div key={attrName} className="jw-entry__choice">
            <label htmlFor={`${form}-${attrName}`}>{uiLabel}</label>
            <Control
              tag={tag}
              field={field}
              value={isNamed && Array.isArray(value) ? (named[attrName] ?? value) : value}
              id={`${form}-${attrName}`}
              disabled={false}
              invalid={false}
              describedBy={undefined}
              values={values}
              rowId={null}
              onChange={(next) => change({ ...values, [attrName]: next })}
              onBlur={() => {}}
            />
          </div>
        )
      })}
    </div>
  )
}

function Rows({
  tag,
  entry,
  by,
  isOpen,
  onDirty,
}: {
  readonly tag: string
  readonly entry: Pick<EntrySheet, 'frozen' | 'columns'>
  readonly by: EntryBy
  readonly isOpen: boolean
  readonly onDirty: (dirty: boolean) => void
}) {
  const key = JSON.stringify([by, isOpen])
  const [first = ''] = entry.frozen
  const [sorts, setSorts] = useState(() => [{ column: first, asc: true }])
  const onSort = (column: string) =>
    setSorts(([last]) => [{ column, asc: !(last?.column === column && last.asc) }])
  // Widths of a sheet last as long as it is open; those of the list are the list's.
  const [widths, setWidths] = useState<Widths>({})
  const onWidth = (name: string, width: number | null) =>
    setWidths(({ [name]: _before, ...others }) =>
      width === null ? others : { ...others, [name]: width },
    )
  const query = useMemo(() => ({ queries: by, sorts }), [by, sorts])
  const columns = useMemo(() => [...entry.frozen, ...entry.columns], [entry])
  return (
    <Suspense fallback={<Loading />}>
      <EntityGrid
        key={key}
        tag={tag}
        place={JSON.stringify(by)}
        query={query}
        columns={columns}
        frozen={entry.frozen.length}
        mayEdit={isOpen}
        mayAdd={false}
        sorts={sorts}
        widths={widths}
        onWidth={onWidth}
        onSort={onSort}
        onDirty={onDirty}
        onClose={null}
      />
    </Suspense>
  )
}

function byOfAddress({ by }: Pick<EntrySheet, 'by'>, search: string): EntryBy | null {
  const given = new URLSearchParams(search)
  const ids = by.map((name) => [name, given.get(name) ?? ''] as const)
  return ids.every(([, id]) => id !== '') ? Object.fromEntries(ids) : null
}

function valuesOfAddress(fields: readonly Field[], search: string): Values {
  const given = new URLSearchParams(search)
  return Object.fromEntries(
    fields.map(({ attrName, dictData, uiType }) => {
      const id = given.get(attrName) ?? ''
      if (findKind(uiType).family !== 'choice') return [attrName, id === '' ? null : id]
      const name = dictData?.find((item) => item.id === id)?.name ?? ''
      return [attrName, id === '' ? [] : [{ id, name }]]
    }),
  )
}

function readEntryId(value: Values[string] | undefined): string {
  return Array.isArray(value)
    ? String((value[0] as { readonly id: string } | undefined)?.id ?? '')
    : String(value ?? '')
}
