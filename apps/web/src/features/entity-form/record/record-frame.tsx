import type { RelatedList } from '@jiaowu/api/contract/entity/search'
import { entityPermission } from '@jiaowu/api/entity/permission'
import { type KeyboardEvent, type ReactNode, Suspense, useId, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Loading } from '../../../ui/resource/page-state.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { hasHistory } from '../../history/has-history.ts'
import { RecordHead, type RecordSteps } from './record-head.tsx'
import type { ShownRecord } from './shown-record.ts'
import { RelatedRows } from './related-rows.tsx'

const HistoryBody = lazyPart(() =>
  import('../../history/history-body.tsx').then((module) => module.HistoryBody),
)

interface Props {
  readonly tag: string
  readonly record: ShownRecord | null
  readonly steps?: RecordSteps | null
  readonly onRestored: () => void
  /** The details themselves: the first tab. */
  readonly children: ReactNode
}

/** A record with its head, and beside its details the lists that name it and its history, in tabs. */
export function RecordFrame({ tag, record, steps = null, onRestored, children }: Props) {
  const { api, can } = useApi()
  const { t } = useText()
  const id = useId()
  const [chosen, setChosen] = useState('data')
  const related = useResource({
    query: record === null ? null : tag,
    load: (asked: string, signal) => api.search.related({ params: { tag: asked }, signal }),
  }).data
  const tabs = [
    { key: 'data', text: t('record.data') },
    ...nameLists(related ?? []),
    ...(record !== null && hasHistory(record.config)
      ? [{ key: 'history', text: t('history.open') }]
      : []),
  ]
  const shown = tabs.some(({ key }) => key === chosen) ? chosen : 'data'
  const list = related?.find((each) => buildListKey(each) === shown)
  return (
    <div className="jw-record-frame">
      {record === null ? null : <RecordHead record={record} steps={steps} />}
      <div className="jw-record__tabs" role="tablist" onKeyDown={moveBetweenTabs}>
        {tabs.map(({ key, text }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === shown}
            aria-controls={`${id}-panel`}
            tabIndex={key === shown ? 0 : -1}
            onClick={() => setChosen(key)}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        className="jw-record__panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${shown}`}
      >
        {/* The details stay: their form is the one that reads the record. */}
        <div className="jw-record__data" hidden={shown !== 'data'}>
          {children}
        </div>
        {list === undefined || record === null ? null : (
          <RelatedRows key={`${shown} ${record.row.id}`} list={list} row={record.row} />
        )}
        {shown !== 'history' || record === null ? null : (
          <Suspense fallback={<Loading />}>
            <HistoryBody
              key={`${record.row.id} ${String(record.row.version ?? '')}`}
              config={record.config}
              id={record.row.id}
              canRestore={can(entityPermission(tag, 'update'))}
              onRestored={onRestored}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}

function buildListKey({ tag, attrName }: RelatedList): string {
  return `${tag}.${attrName}`
}

/** Two lists of one entity are told apart by their fields. */
function nameLists(lists: readonly RelatedList[]): { key: string; text: string }[] {
  return lists.map((list) => ({
    key: buildListKey(list),
    text: lists.some((other) => other !== list && other.name === list.name)
      ? `${list.name} · ${list.label}`
      : list.name,
  }))
}

function moveBetweenTabs(event: KeyboardEvent<HTMLDivElement>) {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = tabs.indexOf(document.activeElement as HTMLElement)
  const next = tabs[(at + step + tabs.length) % tabs.length]
  event.preventDefault()
  next?.focus()
  next?.click()
}
