import { Button, Drawer, HTMLSelect, Tag } from '@blueprintjs/core'
import {
  differencesBetween,
  editingOf,
  type EntityConfig,
  type Field,
  type FieldChange,
  type HistoryEntry,
  holdsValue,
  kindOf,
  problemOf,
  problemText,
  type RowHistory,
  stateAt,
  type WireValue,
} from '@jiaowu/api'
import { useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { useLoad } from '../designer/definitions/use-load.ts'
import { tellSaved } from '../entity-list/saved-signal.ts'
import { Empty, Failed, Loading } from '../../ui/page-state.tsx'

/** Stands for the time before the earliest change that is known; no change has this id, so all are taken back. */
const earliest: HistoryEntry = { id: 'earliest', action: 'add', at: '', user: null, changes: [] }

const tones = { add: 'success', update: 'primary', delete: 'danger', restore: 'warning' } as const

interface Props {
  readonly config: EntityConfig
  readonly id: string
  readonly canRestore: boolean
  readonly onClose: () => void
  readonly onRestored?: () => void
}

/** Who changed a record, when and what; two moments compared; back to an old one by a usual save. */
export function HistoryDrawer({ config, id, canRestore, onClose, onRestored }: Props) {
  const { api, t, locale } = useApp()
  const { data, problem, reload } = useLoad(`${config.tag} ${id}`, (signal) =>
    api.history.of({ params: { tag: config.tag, id }, signal }),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const moments = data === null ? [] : momentsOf(data)
  const entry = moments.find((each) => each.id === chosen) ?? moments[0]
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={`${config.name} · ${t('history.open')}`}
      size="min(880px, 100vw)"
      className="jw-calm jw-history"
    >
      {data === null ? (
        problem === null ? (
          <Loading />
        ) : (
          <Failed text={problemText(locale, problem)} onRetry={reload} />
        )
      ) : entry === undefined ? (
        <Empty title={t('history.none')} />
      ) : (
        <div className="jw-history__body">
          <div className="jw-history__list">
            <ul aria-label={t('history.pick')}>
              {moments.map((each) => (
                <Item
                  key={each.id}
                  config={config}
                  entry={each}
                  chosen={each.id === entry.id}
                  onChoose={() => setChosen(each.id)}
                />
              ))}
            </ul>
            {data.complete ? null : (
              <p className="jw-muted">{t('history.older', { n: data.entries.length })}</p>
            )}
          </div>
          <Chosen
            key={entry.id}
            config={config}
            history={data}
            entry={entry}
            canRestore={canRestore}
            onDone={() => {
              setChosen(null)
              reload()
              onRestored?.()
            }}
          />
        </div>
      )}
    </Drawer>
  )
}

function momentsOf(history: RowHistory): readonly HistoryEntry[] {
  const oldest = history.entries.at(-1)
  return oldest === undefined || oldest.action === 'add'
    ? history.entries
    : [...history.entries, earliest]
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
  const { t } = useApp()
  const names = entry.changes.map(
    ({ attrName }) =>
      config.fields.find((field) => field.attrName === attrName)?.uiLabel ?? attrName,
  )
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
            <small>
              {t('history.by', { who: entry.user?.name ?? t('history.system'), when: entry.at })}
            </small>
          </>
        )}
      </button>
    </li>
  )
}

/** One change: what it did, how the record then differs from another moment, and the way back to it. */
function Chosen({
  config,
  history,
  entry,
  canRestore,
  onDone,
}: {
  readonly config: EntityConfig
  readonly history: RowHistory
  readonly entry: HistoryEntry
  readonly canRestore: boolean
  readonly onDone: () => void
}) {
  const { t } = useApp()
  const [other, setOther] = useState('')
  const restore = useRestore(config, history, onDone)
  const then = stateAt(history, entry.id)
  const against = other === '' ? history.row : stateAt(history, other)
  return (
    <div className="jw-history__chosen">
      {entry.changes.length === 0 ? null : (
        <section>
          <h4>{t('history.changed')}</h4>
          <Changes
            config={config}
            changes={entry.changes}
            heads={[t('history.before'), t('history.after')]}
          />
        </section>
      )}
      <section>
        <div className="jw-history__compare">
          <h4>{t('history.compareWith')}</h4>
          <HTMLSelect
            aria-label={t('history.compareWith')}
            value={other}
            onChange={(event) => setOther(event.currentTarget.value)}
          >
            <option value="">{t('history.current')}</option>
            {momentsOf(history)
              .filter(({ id }) => id !== entry.id)
              .map(({ id, at, user }) => (
                <option key={id} value={id}>
                  {id === earliest.id
                    ? t('history.earliest')
                    : `${at} ${user?.name ?? t('history.system')}`}
                </option>
              ))}
          </HTMLSelect>
        </div>
        <Changes
          config={config}
          changes={differencesBetween(
            then,
            against,
            config.fields
              .filter(({ uiType }) => holdsValue(uiType))
              .map(({ attrName }) => attrName),
          )}
          heads={[
            t('history.then'),
            other === ''
              ? t('history.current')
              : (history.entries.find(({ id }) => id === other)?.at ?? t('history.earliest')),
          ]}
        />
      </section>
      {canRestore ? (
        <div>
          <Button
            intent="primary"
            variant="outlined"
            text={t('history.restore')}
            disabled={restorable(config, history, entry.id).length === 0}
            onClick={() => {
              void restore(entry)
            }}
          />
        </div>
      ) : null}
    </div>
  )
}

function useRestore(config: EntityConfig, history: RowHistory, onDone: () => void) {
  const { api, t, toast, confirm, locale } = useApp()
  return async (entry: HistoryEntry) => {
    const changes = restorable(config, history, entry.id)
    if (changes.length === 0) {
      toast('info', t('history.restoreNothing'))
      return
    }
    if (
      !(await confirm({
        text: t('history.restoreAsk', {
          n: changes.length,
          when: entry.id === earliest.id ? t('history.earliest') : entry.at,
        }),
        confirmText: t('history.restore'),
      }))
    )
      return
    try {
      await api.entityData.update({
        params: { tag: config.tag, id: history.row.id },
        body: {
          version: history.row['version'],
          ...Object.fromEntries(changes.map(({ attrName, to }) => [attrName, to])),
        },
      })
      toast('success', t('history.restored'))
      tellSaved(config.tag)
      onDone()
    } catch (error) {
      const problem = problemOf(error)
      const [issue] = problem.issues
      toast(
        'danger',
        issue === undefined
          ? problemText(locale, problem)
          : `${config.fields.find(({ attrName }) => attrName === issue.path)?.uiLabel ?? ''} ${issue.msg}`,
        { lasting: true },
      )
    }
  }
}

/** Fields of the old state that differ from the record now and may be changed by this person. */
function restorable(
  config: EntityConfig,
  history: RowHistory,
  entryId: string,
): readonly FieldChange[] {
  return differencesBetween(
    history.row,
    stateAt(history, entryId),
    config.fields
      .filter((field) => editingOf(field, 'edit') === 'editable' && !kindOf(field.uiType).secret)
      .map(({ attrName }) => attrName),
  )
}

function Changes({
  config,
  changes,
  heads,
}: {
  readonly config: EntityConfig
  readonly changes: readonly FieldChange[]
  readonly heads: readonly [string, string]
}) {
  const { t } = useApp()
  if (changes.length === 0) return <p className="jw-muted">{t('history.same')}</p>
  const value = (field: Field | undefined, side: WireValue) => {
    const text =
      field !== undefined && kindOf(field.uiType).family === 'flag'
        ? side === '1'
          ? t('common.yes')
          : side === '0'
            ? t('common.no')
            : ''
        : textOf(field, side)
    return text === '' ? <span className="jw-muted">—</span> : text
  }
  return (
    <table className="jw-history__changes">
      <thead>
        <tr>
          <th scope="col">{t('history.field')}</th>
          <th scope="col">{heads[0]}</th>
          <th scope="col">{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ attrName, from, to }) => {
          const field = config.fields.find((each) => each.attrName === attrName)
          return (
            <tr key={attrName}>
              <th scope="row">{field?.uiLabel ?? attrName}</th>
              <td>
                <del>{value(field, from)}</del>
              </td>
              <td>
                <ins>{value(field, to)}</ins>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function textOf(field: Field | undefined, value: WireValue): string {
  if (field === undefined) return ''
  const { markup, toText } = kindOf(field.uiType)
  const text = toText(value)
  return markup ? text.replace(/<[^>]*>/g, ' ').trim() : text
}
