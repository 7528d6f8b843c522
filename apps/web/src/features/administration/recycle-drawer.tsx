import { Button, Drawer, InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { type EntityConfig, limits, problemOf, problemText } from '@jiaowu/api'
import { useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { useLoad } from '../designer/definitions/use-load.ts'
import { columnsOf, columnStyle } from '../entity-list/table/columns.ts'
import { surfaceOf } from '../../fields/index.tsx'
import { Empty, Failed, Loading } from '../../ui/page-state.tsx'
import { Pager } from '../entity-list/table/pager.tsx'
import { PurgeDialog } from './purge-dialog.tsx'

interface Props {
  readonly config: EntityConfig
  readonly onClose: () => void
  readonly onRestored: () => void
}

/** Deleted records of an entity, and the way back for them. */
export function RecycleDrawer({ config, onClose, onRestored }: Props) {
  const { api, t, toast, locale, can } = useApp()
  const [at, setAt] = useState<{ pageNum: number; pageSize: number; searchKey: string }>({
    pageNum: 1,
    pageSize: limits.pageSize,
    searchKey: '',
  })
  const [words, setWords] = useState('')
  const [doomed, setDoomed] = useState<readonly string[]>([])
  const [selected, setSelected] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const { data, problem, reload } = useLoad(
    `${config.tag} ${at.pageNum} ${at.pageSize} ${at.searchKey}`,
    (signal) => api.history.recycled({ params: { tag: config.tag }, body: at, signal }),
  )
  const restore = async (ids: readonly string[]) => {
    setBusy(true)
    try {
      const { restored } = await api.history.restore({
        params: { tag: config.tag, ids: ids.join(',') },
      })
      toast('success', t('recycle.restored', { n: restored }))
      setSelected([])
      setAt((now) => ({ ...now, pageNum: 1 }))
      reload()
      onRestored()
    } catch (error) {
      toast('danger', problemText(locale, problemOf(error)), { lasting: true })
    } finally {
      setBusy(false)
    }
  }
  const search = (searchKey: string) => {
    setSelected([])
    setAt({ ...at, pageNum: 1, searchKey: searchKey.trim() })
  }
  const mayPurge = can('recycle:purge')
  const columns = columnsOf(config, false, 0).slice(0, 5)
  const toggle = (id: string) =>
    setSelected((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id]))
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={t('recycle.title', { name: config.name })}
      size="min(980px, 100vw)"
      className="jw-calm jw-recycle"
    >
      {data === null ? (
        problem === null ? (
          <Loading />
        ) : (
          <Failed text={problemText(locale, problem)} onRetry={reload} />
        )
      ) : data.total === 0 && at.searchKey === '' ? (
        <Empty title={t('recycle.empty')} />
      ) : (
        <>
          <div className="jw-toolbar">
            <form
              onSubmit={(event) => {
                event.preventDefault()
                search(words)
              }}
            >
              <InputGroup
                type="search"
                leftElement={<Search className="bp6-icon" size={14} />}
                placeholder={t('recycle.search')}
                aria-label={t('recycle.search')}
                maxLength={200}
                value={words}
                onValueChange={(text) => {
                  setWords(text)
                  if (text === '') search('')
                }}
              />
            </form>
            {data.keptDays === null ? null : (
              <span className="jw-muted">{t('recycle.kept', { n: data.keptDays })}</span>
            )}
            <span className="jw-toolbar__gap" />
            <Button
              intent="primary"
              variant="outlined"
              disabled={selected.length === 0 || busy}
              text={t('recycle.restoreSelected', { n: selected.length })}
              onClick={() => {
                void restore(selected)
              }}
            />
            {mayPurge ? (
              <Button
                intent="danger"
                variant="outlined"
                disabled={selected.length === 0 || busy}
                text={t('recycle.purgeSelected', { n: selected.length })}
                onClick={() => setDoomed(selected)}
              />
            ) : null}
          </div>
          {data.total === 0 ? (
            <Empty title={t('recycle.noHits')} />
          ) : (
            <div className="jw-table-wrap">
              <table className="jw-table">
                <thead>
                  <tr>
                    <th aria-label={t('list.selectRow')} />
                    {columns.map(({ field, label }) => (
                      <th key={field.attrName} scope="col">
                        {label}
                      </th>
                    ))}
                    <th scope="col">{t('recycle.deletedAt')}</th>
                    <th scope="col">{t('recycle.deletedBy')}</th>
                    <th
                      className="is-fixed is-edge-right jw-stuck"
                      aria-label={t('list.operation')}
                    />
                  </tr>
                </thead>
                <tbody>
                  {data.records.map((row) => (
                    <tr key={row.id} className={selected.includes(row.id) ? 'is-selected' : ''}>
                      <td>
                        <input
                          type="checkbox"
                          aria-label={t('list.selectRow')}
                          checked={selected.includes(row.id)}
                          onChange={() => toggle(row.id)}
                        />
                      </td>
                      {columns.map((column) => {
                        const { Cell } = surfaceOf(column.field.uiType)
                        return (
                          <td
                            key={column.field.attrName}
                            style={columnStyle({ ...column, fixed: null })}
                          >
                            <Cell
                              tag={config.tag}
                              field={column.field}
                              value={row[column.field.attrName]}
                              row={row}
                            />
                          </td>
                        )
                      })}
                      <td>{row.deletedAt}</td>
                      <td>{row.deletedBy ?? '—'}</td>
                      <td className="is-fixed is-edge-right jw-stuck">
                        <Button
                          size="small"
                          variant="minimal"
                          intent="primary"
                          disabled={busy}
                          text={t('recycle.restore')}
                          onClick={() => {
                            void restore([row.id])
                          }}
                        />
                        {mayPurge ? (
                          <Button
                            size="small"
                            variant="minimal"
                            intent="danger"
                            disabled={busy}
                            text={t('recycle.purge')}
                            onClick={() => setDoomed([row.id])}
                          />
                        ) : null}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <Pager
            total={data.total}
            isEstimate={false}
            pageNum={at.pageNum}
            pageSize={at.pageSize}
            canAsk
            onGo={(pageNum) => setAt({ ...at, pageNum })}
            onResize={(pageSize) => setAt({ ...at, pageNum: 1, pageSize })}
          />
        </>
      )}
      {doomed.length === 0 ? null : (
        <PurgeDialog
          tag={config.tag}
          ids={doomed}
          onDone={() => {
            setDoomed([])
            setSelected([])
            setAt((now) => ({ ...now, pageNum: 1 }))
            reload()
          }}
          onClose={() => setDoomed([])}
        />
      )}
    </Drawer>
  )
}
