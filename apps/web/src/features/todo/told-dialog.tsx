import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { TodoListView } from '@jiaowu/machines/todo-list/view'
import { useText } from '../../app/text-context.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { TodoProps } from './use-todo-list.ts'

type Batch = NonNullable<TodoListView['batch']>
export interface BatchProps extends TodoProps {
  readonly batch: Batch
}

/** The results of decisions, case by case. */
export function Told({ send, batch }: BatchProps) {
  const { t } = useText()
  const close = () => send({ type: 'batch.close' })
  return (
    <Dialog isOpen title={batch.offer.name} onClose={close} className="jw-calm jw-dialog--narrow">
      <DialogBody>
        <p role="status">
          {t('todo.told', { ok: batch.ok, refused: batch.rows.length - batch.ok })}
        </p>
        <Names batch={batch} result="todo.now" />
      </DialogBody>
      <DialogFooter
        actions={<Button intent="primary" autoFocus text={t('common.ok')} onClick={close} />}
      />
    </Dialog>
  )
}

/** The cases by name, with what the check or the decision came to. */
export function Names({
  batch,
  result: key,
}: {
  readonly batch: Batch
  readonly result: 'todo.would' | 'todo.now'
}) {
  const { t } = useText()
  return (
    <ul className="jw-todo__names" aria-label={t('todo.batch')}>
      {batch.rows.map(({ key: row, title, entity, result }) => (
        <li key={row}>
          <strong>{title}</strong>
          <span className="jw-muted">{entity}</span>
          {result === null ? null : (
            <span className={result.ok ? '' : 'jw-todo__refused'}>
              {result.ok ? t(key, { state: result.name ?? '' }) : result.msg}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
