import { Tag } from '@blueprintjs/core'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { FieldChange, HistoryEntry, RowHistory } from '@jiaowu/api/entity/definition/history'
import { type Problem, problemText } from '@jiaowu/api/problem'
import { useEffect, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Empty } from '../../ui/resource/page-state.tsx'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'
import { tellSaved } from '../../app/saved-signal.ts'
import { HistoryEntryDetails } from './history-entry-details.tsx'
import { earliest, listHistoryEntries } from './history-entries.ts'

const tones = { add: 'success', update: 'primary', delete: 'danger', restore: 'warning' } as const

interface Props {
  readonly config: EntityConfig
  readonly id: string
  readonly canRestore: boolean
  readonly onRestored?: () => void
  /** Gets the history as soon as it is there. */
  readonly onLoaded?: (history: RowHistory) => void
}

/**
 * The changes of a record with their authors and times; compares two of its states and restores an
 * old one by an ordinary save.
 */
export function HistoryBody({ config, id, canRestore, onRestored, onLoaded }: Props) {
  const { t } = useText()
  const [chosen, setChosen] = useState<string | null>(null)
  const page = useHistory(config, id, () => {
    setChosen(null)
    onRestored?.()
  })
  const { data } = page
  useEffect(() => {
    if (data !== null) onLoaded?.(data)
  }, [data, onLoaded])
  return (
    <ResourceBody of={page}>
      {(history) => {
        const entries = listHistoryEntries(history)
        const entry = entries.find((each) => each.id === chosen) ?? entries[0]
        return entry === undefined ? (
          <Empty title={t('history.none')} />
        ) : (
          <div className="jw-history__body">
            <div className="jw-history__list">
              <ul aria-label={t('history.pick')}>
                {entries.map((each) => (
                  <Item
                    key={each.id}
                    config={config}
                    entry={each}
                    chosen={each.id === entry.id}
                    onChoose={() => setChosen(each.id)}
                  />
                ))}
              </ul>
              {history.complete ? null : (
                <p className="jw-muted">{t('history.older', { n: history.entries.length })}</p>
              )}
            </div>
            <HistoryEntryDetails
              key={entry.id}
              config={config}
              history={history}
              entry={entry}
              onRestore={
                canRestore
                  ? (changes) =>
                      page.start('restore', {
                        changes,
                        version: history.row['version'],
                        when: entry.id === earliest.id ? t('history.earliest') : entry.at,
                      })
                  : null
              }
            />
          </div>
        )
      }}
    </ResourceBody>
  )
}

interface Restore {
  readonly changes: readonly FieldChange[]
  readonly version: unknown
  /** The moment that is restored, in words. */
  readonly when: string
}

function useHistory(config: EntityConfig, id: string, onRestored: () => void) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const textOf = (problem: Problem): string => {
    const [issue] = problem.issues
    if (issue === undefined) return problemText(locale, problem)
    const field = config.fields.find(({ attrName }) => attrName === issue.path)
    return `${field?.uiLabel ?? ''} ${issue.msg}`
  }
  return useResource({
    query: id,
    load: (_id, signal): Promise<RowHistory> =>
      api.history.of({ params: { tag: config.tag, id }, signal }),
    actions: {
      restore: ({ changes, version }: Restore) =>
        api.entityData.update({
          params: { tag: config.tag, id },
          body: {
            version,
            ...Object.fromEntries(changes.map(({ attrName, to }) => [attrName, to])),
          },
        }),
    },
    confirm: {
      restore: ({ changes, when }) => ({
        text: t('history.restoreAsk', { n: changes.length, when }),
        confirmText: t('history.restore'),
      }),
    },
    onDone: {
      restore: () => {
        toast('success', t('history.restored'))
        tellSaved(config.tag)
        onRestored()
      },
    },
    onFailed: { restore: (problem) => toast('danger', textOf(problem), { lasting: true }) },
  })
}

function Item({
  config,
  entry,
  chosen,
  onChoose,
}: {
  readonly config: EntityConfig
  readonly entry: HistoryEntry
  readonly chosen: boolean
  readonly onChoose: () => void
}) {
  const { t } = useText()
  const names = entry.changes.map(
    ({ attrName }) =>
      config.fields.find((field) => field.attrName === attrName)?.uiLabel ?? attrName,
  )
  const name = entry.user?.name ?? t('history.system')
  const who =
    entry.agent === undefined ? name : t('history.byAgent', { agent: entry.agent, who: name })
  return (
    <li>
      <button type="button" aria-pressed={chosen} onClick={onChoose}>
        {entry.id === earliest.id ? (
          <span className="jw-muted">{t('history.earliest')}</span>
        ) : (
          <>
            <Tag minimal intent={tones[entry.action]}>
              {t(`history.action.${entry.action}`)}
            </Tag>
            <span>{names.join('、')}</span>
            <small>{t('history.by', { who, when: entry.at })}</small>
          </>
        )}
      </button>
    </li>
  )
}
