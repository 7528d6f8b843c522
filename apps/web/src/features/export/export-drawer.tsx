import { Button, ProgressBar, Tag } from '@blueprintjs/core'
import {
  ArrowDown,
  ArrowUp,
  DragHandleVertical,
  Error as ErrorIcon,
  Tick,
} from '@blueprintjs/icons'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { exportFormats } from '@jiaowu/api/contract/entity/entity-data'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import { problemText } from '@jiaowu/api/problem'
import type { Sort } from '@jiaowu/api/entity/values'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import { useId, useRef, useState } from 'react'
import { askedWhere } from '../../ports/asked-where.ts'
import { useText } from '../../app/text-context.ts'
import { useReorder } from '../../ui/drag/reorder.ts'
import { sizeText } from '../../ui/sizes.ts'
import { filterText } from '../transfer/filter-text.ts'
import { FullValues } from './full-values.tsx'
import { Pane } from '../transfer/pane.tsx'
import { type Transfer, useTransfer } from '../transfer/use-transfer.ts'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { CancelButton } from '../../ui/overlays/cancel-button.tsx'
import { UnsavedInput } from '../../ui/overlays/unsaved-input.tsx'

interface Props {
  readonly config: EntityConfig
  /** Filters and sorts of the list, and the number of rows they match. */
  readonly applied: Readonly<Record<string, unknown>>
  /** Conditions in groups. */
  readonly where?: Where | null
  readonly sorts: readonly Sort[]
  readonly total: number
  /** Columns the user chose for the list; null: all. */
  readonly columns: readonly string[] | null
  readonly onClose: () => void
}

interface ColumnProps {
  readonly field: Field
  readonly index: number
  readonly last: number
  readonly on: boolean
  readonly held: boolean
  readonly grip: ReturnType<ReturnType<typeof useReorder>['grip']>
  readonly onToggle: () => void
  readonly onMove: (by: number) => void
}

const nothingChanged = () => {}

/**
 * Export with a choice of format, columns and column order; runs on the same machine as the import.
 */
export function ExportDrawer({ columns: chosen, onClose, ...props }: Props) {
  const { config, applied, where = null, sorts, total } = props
  const { t, locale } = useText()
  const columns = config.fields.filter((field) => field.isExport === 1 && holdsValue(field.uiType))
  const reason = useRef('')
  const [isLacking, setLacking] = useState(false)
  const transfer = useTransfer(
    {
      tag: config.tag,
      kind: 'export',
      sheet: {
        query: { queries: applied, sorts, ...askedWhere(where) },
        format: 'xlsx',
        columns:
          chosen?.filter((name) => columns.some(({ attrName }) => attrName === name)) ?? null,
      },
    },
    nothingChanged,
    () => (reason.current === '' ? null : reason.current),
  )
  const { view, send } = transfer
  const filter = filterText(config, applied)
  const labels = sorts.map(
    ({ column, asc }) =>
      `${config.fields.find(({ attrName }) => attrName === column)?.uiLabel ?? column} ${asc ? '↑' : '↓'}`,
  )
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={t('export.title', { name: config.name })}
      size=""
      className="jw-tr jw-tr--narrow"
      canOutsideClickClose={view.step !== 'running'}
    >
      <Pane step={view.step}>
        {view.step === 'choosing' ? (
          <>
            <div className="jw-tr__body">
              <fieldset className="jw-tr__scope">
                <legend>{t('export.scope')}</legend>
                <p>
                  {filter === ''
                    ? t('export.all', { total: total.toLocaleString(locale) })
                    : t('export.filtered', { total: total.toLocaleString(locale), filter })}
                </p>
                {labels.length === 0 ? null : (
                  <Tag minimal>{t('export.sorted', { sorts: labels.join('、') })}</Tag>
                )}
              </fieldset>
              <Formats view={view} send={send} />
              <UnsavedInput>
                <Columns all={columns} transfer={transfer} />
                <FullValues
                  fields={columns}
                  onChange={(text, lacks) => {
                    reason.current = text
                    setLacking(lacks)
                  }}
                />
              </UnsavedInput>
            </div>
            <div className="jw-tr__foot">
              <CancelButton onClick={onClose} />
              <Button
                intent="primary"
                text={t('export.start')}
                disabled={!view.can.export || isLacking}
                onClick={() => send({ type: 'export.start' })}
              />
            </div>
          </>
        ) : (
          <ExportProgress view={view} send={send} onClose={onClose} />
        )}
      </Pane>
    </Drawer>
  )
}

function Formats({ view, send }: Pick<Transfer, 'view' | 'send'>) {
  const { t } = useText()
  const name = useId()
  return (
    <fieldset className="jw-tr__cards">
      <legend>{t('export.format')}</legend>
      {exportFormats.map((format) => (
        <label
          key={format}
          className={`jw-tr__card${view.sheet.format === format ? ' is-on' : ''}`}
        >
          <input
            type="radio"
            name={name}
            value={format}
            checked={view.sheet.format === format}
            onChange={() => send({ type: 'sheet.change', format })}
          />
          <span>
            <strong>{format}</strong>
            <small>{t(`export.${format}`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Choice and order of the columns in the exported sheet. */
function Columns({
  all,
  transfer: { view, send },
}: {
  readonly all: readonly Field[]
  readonly transfer: Transfer
}) {
  const { t } = useText()
  // The columns chosen for the list come first, in the order of the list.
  const [order, setOrder] = useState<readonly string[]>(() => [
    ...(view.sheet.columns ?? []),
    ...all
      .map(({ attrName }) => attrName)
      .filter((name) => view.sheet.columns?.includes(name) !== true),
  ])
  const chosen = view.sheet.columns ?? order
  const byName = new Map(all.map((field) => [field.attrName, field]))
  const choose = (next: readonly string[], on: readonly string[]) => {
    setOrder(next)
    send({ type: 'sheet.change', columns: next.filter((name) => on.includes(name)) })
  }
  const toggle = (name: string) =>
    choose(
      order,
      chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name],
    )
  const shift = (from: number, to: number) => {
    const next = [...order]
    const [taken] = next.splice(from, 1)
    if (taken !== undefined) {
      next.splice(to, 0, taken)
      choose(next, chosen)
    }
  }
  const { held, list, grip } = useReorder(shift)
  return (
    <fieldset className="jw-tr__columns">
      <legend>
        {t('export.columns')}{' '}
        <span className="jw-muted">
          {t('export.columnsChosen', { n: chosen.length, all: all.length })}
        </span>
      </legend>
      <div className="jw-tr__ways">
        <Button size="small" text={t('export.selectAll')} onClick={() => choose(order, order)} />
        <Button size="small" text={t('export.selectNone')} onClick={() => choose(order, [])} />
        <small className="jw-muted">{t('export.columnsHint')}</small>
      </div>
      {chosen.length === 0 ? (
        <p className="jw-tr__problem" role="alert">
          {t('export.noColumns')}
        </p>
      ) : null}
      <ul ref={list}>
        {order.map((name, index) => {
          const field = byName.get(name)
          return field === undefined ? null : (
            <Column
              key={name}
              field={field}
              index={index}
              last={order.length - 1}
              on={chosen.includes(name)}
              held={held === index}
              grip={grip(index)}
              onToggle={() => toggle(name)}
              onMove={(by) => shift(index, index + by)}
            />
          )
        })}
      </ul>
    </fieldset>
  )
}

function Column({ field, index, last, on, held, grip, onToggle, onMove }: ColumnProps) {
  const { t } = useText()
  const label = field.uiLabel
  return (
    <li className={`jw-tr__column${held ? ' is-dragged' : ''}${on ? '' : ' is-off'}`}>
      <span className="jw-tr__grip" aria-hidden {...grip}>
        <DragHandleVertical size={14} />
      </span>
      <label>
        <input type="checkbox" checked={on} onChange={onToggle} />
        {label}
      </label>
      <Button
        variant="minimal"
        size="small"
        icon={<ArrowUp size={14} />}
        aria-label={t('export.up', { label })}
        disabled={index === 0}
        onClick={() => onMove(-1)}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<ArrowDown size={14} />}
        aria-label={t('export.down', { label })}
        disabled={index === last}
        onClick={() => onMove(1)}
      />
    </li>
  )
}

function ExportProgress({
  view,
  send,
  onClose,
}: Pick<Transfer, 'view' | 'send'> & Pick<Props, 'onClose'>) {
  const { t, locale } = useText()
  const {
    step,
    received: { bytes, rows },
    problem,
  } = view
  const amount =
    rows === null
      ? t('export.received', { size: sizeText(bytes) })
      : t('export.receivedOf', { size: sizeText(bytes), rows: rows.toLocaleString(locale) })
  return (
    <>
      <div className="jw-tr__body jw-tr__progress" role="status" aria-live="polite">
        {step === 'running' ? (
          <>
            <h3>{t('export.running')}</h3>
            <ProgressBar intent="primary" aria-label={t('export.running')} />
            <p className="jw-tr__far">
              <span>{amount}</span>
            </p>
          </>
        ) : step === 'done' ? (
          <div className="jw-tr__end is-done">
            <Tick size={36} />
            <h3>{t('export.done')}</h3>
            <p>{amount}</p>
          </div>
        ) : (
          <div className="jw-tr__end is-failed">
            <ErrorIcon size={36} />
            <h3>{problem === null ? '' : problemText(locale, problem)}</h3>
          </div>
        )}
      </div>
      <div className="jw-tr__foot">
        {step === 'running' ? (
          <Button text={t('common.cancel')} onClick={() => send({ type: 'export.cancel' })} />
        ) : (
          <Button text={t('export.again')} onClick={() => send({ type: 'transfer.restart' })} />
        )}
        {step === 'failed' ? (
          <Button
            intent="primary"
            text={t('common.retry')}
            onClick={() => send({ type: 'transfer.retry' })}
          />
        ) : step === 'done' ? (
          <Button intent="primary" text={t('common.close')} onClick={onClose} />
        ) : null}
      </div>
    </>
  )
}
