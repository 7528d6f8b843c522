import { AnchorButton } from '@blueprintjs/core'
import { TickCircle } from '@blueprintjs/icons'
import { useText } from '../app/text-context.ts'
import { paths } from '../paths.ts'
import { useTodoCount } from './use-todo-count.ts'

/** The way to the cases that wait for the user, with their number. */
export function TodoLink() {
  const { t } = useText()
  const count = useTodoCount() ?? 0
  const label = count === 0 ? t('todo.title') : t('todo.count', { n: count })
  return (
    <AnchorButton
      variant="minimal"
      className="jw-bell"
      icon={<TickCircle />}
      href={`#${paths.todo}`}
      aria-label={label}
      title={label}
    >
      {count === 0 ? null : (
        <span className="jw-bell__count" aria-hidden>
          {count > 99 ? '99+' : count}
        </span>
      )}
    </AnchorButton>
  )
}
