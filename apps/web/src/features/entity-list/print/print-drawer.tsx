import { Button } from '@blueprintjs/core'
import { Print } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import type { Row } from '@jiaowu/api/entity/values'
import { schoolTime } from '@jiaowu/api/formats'
import { buildRowsQuery } from '@jiaowu/machines/entity-list/query'
import {
  shownConditions,
  shownLeaves,
} from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import { createPortal } from 'react-dom'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { askedWhere } from '../../../ports/asked-where.ts'
import { Drawer } from '../../../ui/overlays/drawer.tsx'
import { Failed, Loading } from '../../../ui/resource/page-state.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { findFieldSurface } from '../../../fields/index.tsx'
import { shownColumns } from '../../../ui/table/column-order.ts'
import type { List } from '../use-list.ts'
import { useTimeOfMount } from '../../../app/use-time-of-mount.ts'

interface Props {
  readonly list: List
  readonly config: EntityConfig
  readonly onClose: () => void
}

/** All rows that match, up to a limit, as they are printed: title, conditions, date, page numbers. */
export function PrintDrawer({ list, config, onClose }: Props) {
  const { t, locale } = useText()
  const { view, actor } = list
  const { data, problem, reload } = usePrintedRows(list)
  const isTooMany = data !== null && data.total > limits.printRows
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={t('list.printAll')}
      size="min(960px, 100vw)"
      className="jw-print"
    >
      {problem !== null ? (
        <Failed text={problemText(locale, problem)} onRetry={reload} />
      ) : data === null ? (
        <Loading />
      ) : isTooMany ? (
        <TooMany
          total={data.total}
          onExport={
            view.may.export
              ? () => {
                  actor.send({ type: 'export.start', format: 'xlsx' })
                  onClose()
                }
              : null
          }
        />
      ) : (
        <>
          <div className="jw-print__bar">
            <Button
              intent="primary"
              icon={<Print />}
              text={t('list.printNow')}
              onClick={() => globalThis.print()}
            />
            <span className="jw-muted">{t('list.printRows', { n: data.rows.length })}</span>
          </div>
          <div
            className="jw-print__preview"
            role="region"
            aria-label={t('list.printAll')}
            tabIndex={0}
          >
            <Sheet list={list} config={config} rows={data.rows} />
          </div>
          {createPortal(
            <div className="jw-print__paper" aria-hidden>
              <Sheet list={list} config={config} rows={data.rows} />
            </div>,
            document.body,
          )}
        </>
      )}
    </Drawer>
  )
}

function TooMany({
  total,
  onExport,
}: {
  readonly total: number
  readonly onExport: (() => void) | null
}) {
  const { t, locale } = useText()
  return (
    <div className="jw-print__many" role="alert">
      <p>
        {t('list.printTooMany', {
          n: total.toLocaleString(locale),
          most: limits.printRows.toLocaleString(locale),
        })}
      </p>
      {onExport === null ? null : (
        <Button intent="primary" text={t('list.printExport')} onClick={onExport} />
      )}
    </div>
  )
}

/** All rows that match, page by page; only the number of more than can be printed. */
function usePrintedRows({ tag, view }: List) {
  const { api } = useApi()
  return useResource({
    query: tag,
    load: async (_tag, signal) => {
      const rows: Row[] = []
      let total = 0
      for (let pageNum = 1; rows.length < limits.printRows; pageNum += 1) {
        const { queries, sorts } = buildRowsQuery(view)
        const page = await api.entityData.page({
          params: { tag },
          body: {
            pageNum,
            pageSize: limits.maxPageSize,
            sorts: [...sorts],
            queries: { ...queries },
            ...askedWhere(view.where),
            ...(pageNum === 1 ? {} : { withTotal: false }),
          },
          signal,
        })
        total = page.total ?? total
        rows.push(...page.records)
        if (page.records.length < limits.maxPageSize || total > limits.printRows) break
      }
      return { rows, total }
    },
  })
}

/** Shows the sheet of paper. */
function Sheet({
  list: { tag, view, views },
  config,
  rows,
}: Pick<Props, 'list' | 'config'> & { readonly rows: readonly Row[] }) {
  const { t, locale } = useText()
  const printed = useTimeOfMount()
  const columns = shownColumns(config, views.view.columns).filter(
    ({ uiType }) => findKind(uiType).family !== 'media',
  )
  const conditions = [
    ...shownConditions(config, view.applied, rows, locale),
    ...shownLeaves(config, view.where, rows, locale),
  ]
  return (
    <article className="jw-paper">
      <h1>
        {views.view.current === null ? config.name : `${config.name} · ${views.view.current.name}`}
      </h1>
      <p>
        {t('list.printed', { at: schoolTime(printed).slice(0, 16), n: rows.length })}
        {conditions.length === 0
          ? ''
          : ` · ${t('list.applied')}：${conditions.map(({ label, text }) => `${label} ${text}`).join('；')}`}
      </p>
      <table>
        <thead>
          <tr>
            {columns.map((field) => (
              <th key={field.attrName} className={`is-${findKind(field.uiType).align}`}>
                {field.options.column?.label ?? field.uiLabel}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((field) => {
                const { Cell } = findFieldSurface(field.uiType)
                return (
                  <td key={field.attrName} className={`is-${findKind(field.uiType).align}`}>
                    <Cell tag={tag} field={field} value={row[field.attrName]} row={row} />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  )
}
