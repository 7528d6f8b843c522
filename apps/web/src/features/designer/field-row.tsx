import { Button, Tag } from '@blueprintjs/core'
import { Cross, DragHandleVertical } from '@blueprintjs/icons'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import type { DesignFieldView } from '@jiaowu/machines/designer/view'
import type { KeyboardEvent } from 'react'
import { useText } from '../../app/text-context.ts'
import type { FieldDrag } from './field-drag.ts'

interface Props {
  readonly view: DesignFieldView
  readonly drag: FieldDrag | null
  readonly canEdit: boolean
  /** The one field that Tab reaches; arrow keys reach the others. */
  readonly isTabStop: boolean
  readonly onFocus: () => void
  readonly onSelect: () => void
  readonly onRemove: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * One field in the list of the designer: grip, label, name and kind, findings, and the remove
 * button.
 */
export function FieldRow({
  view: { field, selected, custom, findings },
  drag,
  canEdit,
  isTabStop,
  onFocus,
  onSelect,
  onRemove,
  onKeyDown,
}: Props) {
  const { t } = useText()
  const label = field.uiLabel === '' ? t('designer.fields.unnamed') : field.uiLabel
  const isDragged = drag?.drag?.what.kind === 'field' && drag.drag.what.id === field.id
  const worst = findings.some(({ severity }) => severity === 'error') ? 'error' : 'warning'
  const classes = [
    'jw-dfield',
    selected ? 'is-selected' : '',
    isDragged ? 'is-dragged' : '',
    holdsValue(field.uiType) ? '' : 'is-group',
  ]
  return (
    <li data-row className={classes.filter((each) => each !== '').join(' ')}>
      <span
        className="jw-dfield__grip"
        aria-hidden
        {...(drag === null
          ? {}
          : { onPointerDown: drag.take({ kind: 'field', id: field.id, label }) })}
      >
        <DragHandleVertical size={14} />
      </span>
      <button
        type="button"
        className="jw-dfield__main"
        aria-pressed={selected}
        data-field={field.id}
        data-keep={field.attrName}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={onFocus}
        onClick={onSelect}
        onKeyDown={onKeyDown}
      >
        <span className="jw-dfield__label">
          {label}
          {field.valids.required === true ? (
            <span className="is-required" title={t('designer.fields.required')}>
              *
            </span>
          ) : null}
        </span>
        <small>
          <code>{field.attrName}</code> · {t(`enum.uiType.${field.uiType}`)}
        </small>
      </button>
      {custom ? <Tag minimal>{t('designer.fields.customTag')}</Tag> : null}
      {findings.length === 0 ? null : (
        <span className={`jw-badge is-${worst}`} title={findings.map(({ msg }) => msg).join('\n')}>
          {findings.length}
        </span>
      )}
      <Button
        variant="minimal"
        size="small"
        tabIndex={-1}
        disabled={!canEdit}
        icon={<Cross size={12} />}
        className="jw-dfield__remove"
        aria-label={t('designer.fields.remove', { label })}
        onClick={onRemove}
      />
    </li>
  )
}
