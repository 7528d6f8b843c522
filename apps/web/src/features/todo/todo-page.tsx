import { Button, HTMLSelect } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { todoKinds, todoOrders } from '@jiaowu/api/contract/entity/flow'
import { nameTodoDue, todoDueDays } from '@jiaowu/machines/todo-list/due'
import { problemText } from '@jiaowu/api/problem'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Empty, Failed, Loading } from '../../ui/resource/page-state.tsx'
import { BatchDialog } from './batch-dialog.tsx'
import { SubstitutesDialog } from './substitutes-dialog.tsx'
import { TodoRows } from './todo-rows.tsx'
import { type TodoProps, useTodoList } from './use-todo-list.ts'
import './todo.css'

/** The cases that wait for the user, that they began, or that they decided in (docs/rules/contract.md#flows). */
export function TodoPage() {
  const list = useTodoList('open')
  const [isSubstitutesOpen, setSubstitutesOpen] = useState(false)
  return (
    <div className="jw-list">
      <section className="jw-panel jw-todo" aria-busy={list.view.step === 'reading'}>
        <TodoTools {...list} onSubstitutes={() => setSubstitutesOpen(true)} />
        <TodoBody {...list} />
        <TodoFoot {...list} />
      </section>
      <BatchDialog {...list} />
      {isSubstitutesOpen ? <SubstitutesDialog onClose={() => setSubstitutesOpen(false)} /> : null}
    </div>
  )
}

function TodoTools({
  view: { mine, tag, order, dueWithin, entities },
  send,
  onSubstitutes,
}: TodoProps & { readonly onSubstitutes: () => void }) {
  const { t, messageText } = useText()
  return (
    <div className="jw-todo__tools">
      <div className="jw-view-tabs" role="group" aria-label={t('todo.lists')}>
        {todoKinds.map((kind) => (
          <Button
            key={kind}
            variant="minimal"
            className={mine === kind ? 'is-open' : ''}
            aria-pressed={mine === kind}
            text={t(`todo.mine.${kind}`)}
            onClick={() => send({ type: 'list.choose', mine: kind })}
          />
        ))}
      </div>
      <HTMLSelect
        aria-label={t('todo.entity')}
        value={tag ?? ''}
        onChange={({ currentTarget: { value } }) =>
          send({ type: 'list.filter', tag: value === '' ? null : value })
        }
        options={[
          { value: '', label: t('todo.everyEntity') },
          ...entities.map((each) => ({ value: each.tag, label: each.name })),
        ]}
      />
      <HTMLSelect
        aria-label={t('todo.order')}
        value={order}
        onChange={({ currentTarget: { value } }) =>
          send({ type: 'list.order', order: value === 'due' ? 'due' : 'since' })
        }
        options={todoOrders.map((each) => ({ value: each, label: t(`todo.order.${each}`) }))}
      />
      <HTMLSelect
        aria-label={t('todo.due')}
        value={dueWithin === null ? '' : String(dueWithin)}
        onChange={({ currentTarget: { value } }) =>
          send({ type: 'list.due', dueWithin: value === '' ? null : Number(value) })
        }
        options={todoDueDays.map((days) => ({
          value: days === null ? '' : String(days),
          label: messageText(nameTodoDue(days)),
        }))}
      />
      <Button
        variant="minimal"
        icon={<Refresh />}
        aria-label={t('todo.refresh')}
        title={t('todo.refresh')}
        onClick={() => send({ type: 'list.refresh' })}
      />
      <Button variant="minimal" text={t('hand.substitutes')} onClick={onSubstitutes} />
    </div>
  )
}

function TodoBody({ view, send }: TodoProps) {
  const { t, locale } = useText()
  if (view.step === 'failed')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={() => send({ type: 'list.refresh' })}
      />
    )
  if (view.rows === null) return <Loading />
  if (view.rows.length === 0) return <Empty title={t(`todo.none.${view.mine}`)} />
  return <TodoRows view={view} send={send} />
}

function TodoFoot({ view: { total, pageNum, pages, can }, send }: TodoProps) {
  const { t } = useText()
  if (total === 0) return null
  return (
    <nav className="jw-todo__foot" aria-label={t('pager.page', { page: pageNum })}>
      <span className="jw-muted">{t('todo.total', { n: total })}</span>
      {pages === 1 ? null : (
        <>
          <Button
            variant="minimal"
            text={t('pager.previous')}
            disabled={!can.previous}
            onClick={() => send({ type: 'list.page', pageNum: pageNum - 1 })}
          />
          <span aria-hidden>{`${String(pageNum)} / ${String(pages)}`}</span>
          <Button
            variant="minimal"
            text={t('pager.next')}
            disabled={!can.next}
            onClick={() => send({ type: 'list.page', pageNum: pageNum + 1 })}
          />
        </>
      )}
    </nav>
  )
}
