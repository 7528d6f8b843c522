import { Button, Drawer } from '@blueprintjs/core'
import { type EntityConfig, limits, problemOf, problemText } from '@jiaowu/api'
import { useState } from 'react'
import { useApp } from '../app/app-context.tsx'
import { useLoad } from '../design/use-load.ts'
import { columnsOf, columnStyle } from '../entity/columns.ts'
import { surfaceOf } from '../fields/index.tsx'
import { Empty, Failed, Loading } from '../ui/page-state.tsx'
import { Pager } from '../entity/pager.tsx'

interface Props { readonly config: EntityConfig; readonly onClose: () => void; readonly onRestored: () => void }

/** Deleted records of an entity, and the way back for them. */
export const RecycleDrawer = ({ config, onClose, onRestored }: Props) => {
  const { api, t, toast, locale } = useApp()
  const [at, setAt] = useState<{ pageNum: number; pageSize: number }>({ pageNum: 1, pageSize: limits.pageSize })
  const [selected, setSelected] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const { data, problem, again } = useLoad(`${config.tag} ${at.pageNum} ${at.pageSize}`, (signal) => api.history.recycled({ params: { tag: config.tag }, body: at, signal }))
  const restore = async (ids: readonly string[]) => {
    setBusy(true)
    try {
      const { restored } = await api.history.restore({ params: { tag: config.tag, ids: ids.join(',') } })
      toast('success', t('recycle.restored', { n: restored }))
      setSelected([])
      setAt((now) => ({ ...now, pageNum: 1 }))
      again()
      onRestored()
    } catch (error) { toast('danger', problemText(locale, problemOf(error)), { lasting: true }) }
    finally { setBusy(false) }
  }
  const columns = columnsOf(config, false, 0).slice(0, 5)
  const toggle = (id: string) => setSelected((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id]))
  return (
    <Drawer isOpen onClose={onClose} title={t('recycle.title', { name: config.name })} size="min(980px, 100vw)" className="jw-calm jw-recycle">
      {data === null ? (problem === null ? <Loading /> : <Failed text={problemText(locale, problem)} onRetry={again} />) : data.total === 0 ? <Empty title={t('recycle.empty')} /> : (
        <>
          <div className="jw-toolbar"><Button intent="primary" variant="outlined" disabled={selected.length === 0 || busy} text={t('recycle.restoreSelected', { n: selected.length })} onClick={() => { void restore(selected) }} /></div>
          <div className="jw-table-wrap">
            <table className="jw-table">
              <thead><tr><th aria-label={t('list.selectRow')} />{columns.map(({ field, label }) => <th key={field.attrName} scope="col">{label}</th>)}<th scope="col">{t('recycle.deletedAt')}</th><th scope="col">{t('recycle.deletedBy')}</th><th /></tr></thead>
              <tbody>{data.records.map((row) => (
                <tr key={row.id} className={selected.includes(row.id) ? 'is-selected' : ''}>
                  <td><input type="checkbox" aria-label={t('list.selectRow')} checked={selected.includes(row.id)} onChange={() => toggle(row.id)} /></td>
                  {columns.map((column) => { const { Cell } = surfaceOf(column.field.uiType); return <td key={column.field.attrName} style={columnStyle({ ...column, fixed: null })}><Cell tag={config.tag} field={column.field} value={row[column.field.attrName]} row={row} /></td> })}
                  <td>{row.deletedAt}</td><td>{row.deletedBy ?? '—'}</td>
                  <td><Button size="small" variant="minimal" intent="primary" disabled={busy} text={t('recycle.restore')} onClick={() => { void restore([row.id]) }} /></td>
                </tr>
              ))}</tbody>
            </table>
          </div>
          <Pager total={data.total} isEstimate={false} pageNum={at.pageNum} pageSize={at.pageSize} canAsk onGo={(pageNum) => setAt({ ...at, pageNum })} onResize={(pageSize) => setAt({ pageNum: 1, pageSize })} />
        </>
      )}
    </Drawer>
  )
}
