import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { limits } from '@jiaowu/api'
import { useApp } from '../../../shell/context/app-context.tsx'
import { Popover } from '../../../ui/popover.tsx'

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
  const { t } = useApp()
  const direct =
    actions.length <= limits.directRowButtons
      ? actions
      : actions.slice(0, limits.directRowButtons - 1)
  const rest = actions.slice(direct.length)
  return (
    <span className="jw-row-actions">
      {direct.map(({ code, name, danger, disabled, run }) => (
        <Button
          key={code}
          variant="minimal"
          size="small"
          intent={danger === true ? 'danger' : 'primary'}
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
          <Button variant="minimal" size="small" intent="primary" text={t('common.more')} />
        </Popover>
      )}
    </span>
  )
}
