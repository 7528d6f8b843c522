import { Button, Checkbox } from '@blueprintjs/core'
import type { TodoListView } from '@jiaowu/machines/todo-list/view'
import { Link } from 'react-router-dom'
import { useText } from '../../app/text-context.ts'
import { paths } from '../../paths.ts'
import type { TodoProps } from './use-todo-list.ts'

type Row = NonNullable<TodoListView['rows']>[number]

/** The cases of a page, and what the chosen ones can take together. */
export function TodoRows({ view, send }: TodoProps) {
  const { t } = useText()
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
          />
        ))}
      </ul>
    </>
  )
}

function TodoRow({
  row,
  canChoose,
  onToggle,
}: {
  readonly row: Row
  readonly canChoose: boolean
  readonly onToggle: () => void
}) {
  const { t } = useText()
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
        <Link to={paths.details(row.tag, { id: row.id })}>{row.title}</Link>
        <span className="jw-muted">
          {[row.entity, row.applicant?.name, row.since].filter(Boolean).join(' · ')}
        </span>
      </div>
      <span className="jw-tone">
        <span className={`jw-tone__dot is-${row.tone ?? 'blue'}`} aria-hidden />
        {row.name}
      </span>
    </li>
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
      {view.offers.map(({ event, name }, i) => (
        <Button
          key={event}
          intent={i === 0 ? 'primary' : 'none'}
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
