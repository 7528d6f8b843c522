import { Button, Checkbox, Menu, MenuItem, Tag } from '@blueprintjs/core'
import { More } from '@blueprintjs/icons'
import type { TodoListView } from '@jiaowu/machines/todo-list/view'
import { schoolInstant } from '@jiaowu/api/formats'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { useTimeOfMount } from '../../app/use-time-of-mount.ts'
import { tellSaved, todoSignal } from '../../app/saved-signal.ts'
import { paths } from '../../paths.ts'
import { HandDialog } from '../../ui/flow/hand-dialog.tsx'
import type { HandAct } from '../../ui/flow/use-handing.ts'
import { Popover } from '../../ui/overlays/popover.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { useAction } from '../../ui/resource/use-resource.ts'
import { useFailureToast } from '../../ui/use-failure-toast.ts'
import type { TodoProps } from './use-todo-list.ts'

type Row = NonNullable<TodoListView['rows']>[number]

/** The cases of a page, and what the chosen ones can take together. */
export function TodoRows({ view, send }: TodoProps) {
  const { t } = useText()
  const [hand, setHand] = useState<{ readonly row: Row; readonly act: HandAct } | null>(null)
  const [copy, setCopy] = useState<Row | null>(null)
  const refresh = () => send({ type: 'list.refresh' })
  return (
    <>
      {view.rows?.some(({ isChoosable }) => isChoosable) === true ? (
        <BatchBar view={view} send={send} />
      ) : null}
      <ul className="jw-todo__rows" aria-label={t(`todo.mine.${view.mine}`)}>
        {(view.rows ?? []).map((row) => (
          <TodoRow
            key={row.key}
            row={row}
            canChoose={view.step !== 'reading'}
            onToggle={() => send({ type: 'row.toggle', key: row.key })}
            canHand={view.mine === 'open'}
            onHand={(act) => setHand({ row, act })}
            onRead={() => setCopy(row)}
          />
        ))}
      </ul>
      {hand === null ? null : (
        <HandDialog
          tag={hand.row.tag}
          id={hand.row.id}
          act={hand.act}
          onDone={() => {
            setHand(null)
            tellSaved(todoSignal)
          }}
          onClose={() => setHand(null)}
        />
      )}
      {copy?.copy === undefined ? null : (
        <CopyDialog
          id={copy.copy.id}
          title={copy.title}
          onRead={refresh}
          onClose={() => setCopy(null)}
        />
      )}
    </>
  )
}

function TodoRow({
  row,
  canChoose,
  onToggle,
  canHand,
  onHand,
  onRead,
}: {
  readonly row: Row
  readonly canChoose: boolean
  readonly onToggle: () => void
  /** Whether a task waits. */
  readonly canHand: boolean
  readonly onHand: (act: HandAct) => void
  readonly onRead: () => void
}) {
  const { t } = useText()
  const principal = row.can.find((offer) => offer.for !== undefined)?.for
  return (
    <li className="jw-todo__row">
      {row.isChoosable ? (
        <Checkbox
          checked={row.isChosen}
          disabled={!canChoose}
          aria-label={t('todo.choose', { title: row.title })}
          onChange={onToggle}
        />
      ) : null}
      <div className="jw-todo__case">
        {row.copy === undefined ? (
          <Link to={paths.details(row.tag, { id: row.id })}>{row.title}</Link>
        ) : (
          <Button variant="minimal" alignText="start" text={row.title} onClick={onRead} />
        )}
        <span className="jw-muted">
          {[row.entity, row.applicant?.name, row.since].filter(Boolean).join(' · ')}
        </span>
        {row.due === undefined || row.isDone ? null : <Due at={row.due} />}
        {principal === undefined ? null : (
          <span className="jw-muted">{t('hand.for', { name: principal.name })}</span>
        )}
        {row.copy === undefined ? null : <CopyNote copy={row.copy} />}
      </div>
      <span className="jw-tone">
        <span className={`jw-tone__dot is-${row.tone ?? 'blue'}`} aria-hidden />
        {row.name}
      </span>
      {row.copy === undefined ? <RowMenu row={row} canHand={canHand} onHand={onHand} /> : null}
    </li>
  )
}

/** The time when the next timer ends: in red within a day. */
function Due({ at }: { readonly at: string }) {
  const { t } = useText()
  const now = useTimeOfMount()
  const isSoon = schoolInstant(at) - now < dayMs
  return (
    <span className={`jw-todo__due ${isSoon ? 'is-soon' : 'jw-muted'}`}>
      {t('hand.due', { at })}
    </span>
  )
}
const dayMs = 86_400_000

function CopyNote({ copy: { by, at, isRead } }: { readonly copy: NonNullable<Row['copy']> }) {
  const { t } = useText()
  return (
    <span className="jw-muted">
      {isRead ? null : (
        <Tag minimal intent="primary">
          {t('hand.unread')}
        </Tag>
      )}{' '}
      {[by === null ? null : t('hand.by', { name: by }), at]
        .filter((part) => part !== null)
        .join(' · ')}
    </span>
  )
}

/** The sheet of the case, and its task shared; an applicant shares no task of their own: they send copies. */
function RowMenu({
  row: { tag, id, title, applicant },
  canHand,
  onHand,
}: {
  readonly row: Row
  readonly canHand: boolean
  readonly onHand: (act: HandAct) => void
}) {
  const { t } = useText()
  const { api, saveFile, user } = useApi()
  const print = useAction(async () => saveFile(await api.paper.print({ params: { tag, id } })), {
    onFailed: useFailureToast(),
  })
  const isOwn = applicant !== null && applicant.id === user?.id
  return (
    <Popover
      content={
        <Menu>
          {(!canHand
            ? []
            : isOwn
              ? (['copy'] as const)
              : (['transfer', 'add', 'copy'] as const)
          ).map((act) => (
            <MenuItem key={act} text={t(`hand.${act}`)} onClick={() => onHand(act)} />
          ))}
          <MenuItem
            text={t('flowPanel.print')}
            title={t('flowPanel.printHow')}
            disabled={print.isActing}
            onClick={() => print.start()}
          />
        </Menu>
      }
    >
      <Button
        variant="minimal"
        icon={<More />}
        aria-label={t('hand.row', { title })}
        title={t('hand.row', { title })}
      />
    </Popover>
  )
}

function BatchBar({ view, send }: TodoProps) {
  const { t } = useText()
  const isReading = view.step === 'reading'
  return (
    <div className="jw-todo__batch" role="group" aria-label={t('todo.batch')}>
      <Checkbox
        checked={view.isAllChosen}
        indeterminate={view.chosen > 0 && !view.isAllChosen}
        label={t('todo.chooseAll')}
        disabled={isReading}
        onChange={() => send({ type: 'rows.toggle' })}
      />
      {view.chosen === 0 ? null : <span>{t('todo.chosen', { n: view.chosen })}</span>}
      {view.offers.map(({ event, name, isRefusal }, i) => (
        <Button
          key={event}
          intent={isRefusal === true ? 'danger' : i === 0 ? 'primary' : 'none'}
          text={name}
          disabled={isReading}
          onClick={() => send({ type: 'batch.ask', event })}
        />
      ))}
      {view.chosen > 0 && view.offers.length === 0 ? (
        <span className="jw-muted">{t('todo.noCommon')}</span>
      ) : null}
    </div>
  )
}
