import { Classes, Menu, MenuItem } from '@blueprintjs/core'
import { limits } from '@jiaowu/api/limits'
import type { ComponentProps } from 'react'
import { useText } from '../../app/text-context.ts'
import { Popover } from '../overlays/popover.tsx'

export interface RowAction {
  readonly code: string
  readonly name: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly run: () => void
}

/**
 * Up to three buttons directly, else two and a menu (docs/spec/2-student-service-and-designer.md
 * §9).
 */
export function RowActions({ actions }: { readonly actions: readonly RowAction[] }) {
  const { t } = useText()
  const direct =
    actions.length <= limits.directRowButtons
      ? actions
      : actions.slice(0, limits.directRowButtons - 1)
  const rest = actions.slice(direct.length)
  return (
    <span className="jw-row-actions">
      {direct.map(({ code, name, danger, disabled, run }) => (
        <ActionButton
          key={code}
          isDanger={danger === true}
          disabled={disabled === true}
          text={name}
          onClick={run}
        />
      ))}
      {rest.length === 0 ? null : (
        <Popover
          content={
            <Menu>
              {rest.map(({ code, name, danger, disabled, run }) => (
                <MenuItem
                  key={code}
                  disabled={disabled === true}
                  text={name}
                  intent={danger === true ? 'danger' : 'none'}
                  onClick={run}
                />
              ))}
            </Menu>
          }
        >
          <ActionButton text={t('common.more')} />
        </Popover>
      )}
    </span>
  )
}

/**
 * Looks like Blueprint's button, which renders its text a second time to measure it: too slow for a hundred of them.
 */
function ActionButton({
  text,
  isDanger = false,
  className = '',
  ...props
}: ComponentProps<'button'> & { readonly text: string; readonly isDanger?: boolean }) {
  const intent = isDanger ? Classes.INTENT_DANGER : Classes.INTENT_PRIMARY
  const disabled = props.disabled === true ? Classes.DISABLED : ''
  return (
    <button
      type="button"
      className={`${Classes.BUTTON} ${disabled} ${intent} ${Classes.SMALL} ${Classes.MINIMAL} ${className}`}
      {...props}
    >
      <span className={Classes.BUTTON_TEXT}>{text}</span>
    </button>
  )
}
