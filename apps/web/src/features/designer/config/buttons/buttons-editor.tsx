import { Button as PushButton } from '@blueprintjs/core'
import { Add, ChevronDown, DragHandleVertical, Trash } from '@blueprintjs/icons'
import type { Button } from '@jiaowu/api/entity/definition/button'
import type { DefinitionFinding } from '@jiaowu/api/entity/definition/stored'
import type { Row } from '@jiaowu/api/entity/values'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { Draft } from '@jiaowu/machines/designer/draft'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useText } from '../../../../app/text-context.ts'
import type { Choice } from '../rows.ts'
import { ButtonForm } from './button-form.tsx'
import { orderAfterMove, useButtonDrag, useButtonKeys } from './use-button-order.ts'

interface Shared {
  readonly draft: Draft
  readonly entities: readonly Choice[]
  readonly samples: readonly Row[]
  readonly findings: readonly DefinitionFinding[]
  readonly send: (edit: DesignerEdit) => void
}

interface ItemProps {
  readonly button: Button
  /** Index in the draft, which does not change during a drag. */
  readonly index: number
  readonly isOpen: boolean
  readonly isDragged: boolean
  readonly grip: object
  readonly onOpen: () => void
  readonly onRemove: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Editor of the entity's own buttons: position, order, condition and actions
 * (docs/spec/1-entity-console.md §3, docs/rules/contract.md#definitions).
 */
export function ButtonsEditor(props: Shared) {
  const { t } = useText()
  const {
    draft: { buttons },
    send,
  } = props
  const [open, setOpen] = useState<number | null>(null)
  const isNew = useRef(false)
  const add = useRef<HTMLButtonElement>(null)
  const move = (index: number, to: number) => {
    setOpen(open === null ? null : orderAfterMove(buttons.length, index, to).indexOf(open))
    send({ type: 'button.move', index, to })
  }
  const remove = (index: number) => {
    setOpen(null)
    send({ type: 'button.remove', index })
    if (buttons.length === 1) add.current?.focus()
  }
  const { held, list, grip, order } = useButtonDrag(buttons.length, move)
  const { onKeyDown, removeAndFocus } = useButtonKeys(buttons, list, move, remove)
  // A new button gets the focus in its name input.
  useEffect(() => {
    if (isNew.current && open !== null && open < buttons.length) {
      isNew.current = false
      list.current?.children[open]?.querySelector<HTMLElement>('[data-path] input')?.focus()
    }
  })
  return (
    <div className="jw-cfg__list">
      <ul ref={list} className="jw-cfg__buttons">
        {order.map((index, place) => {
          const button = buttons[index]
          return button === undefined ? null : (
            <ButtonItem
              key={index}
              {...props}
              button={button}
              index={index}
              isOpen={open === index && held === null}
              isDragged={held === place}
              grip={grip(place)}
              onOpen={() => setOpen(open === index ? null : index)}
              onRemove={() => removeAndFocus(index)}
              onKeyDown={onKeyDown(index)}
            />
          )
        })}
      </ul>
      <PushButton
        ref={add}
        size="small"
        icon={<Add />}
        text={t('designer.button.add')}
        onClick={() => {
          setOpen(buttons.length)
          isNew.current = true
          send({ type: 'button.add' })
        }}
      />
      {buttons.length < 2 ? null : <small className="jw-muted">{t('designer.order.hint')}</small>}
    </div>
  )
}

function ButtonItem({
  button,
  index,
  isOpen,
  isDragged,
  grip,
  onOpen,
  onRemove,
  onKeyDown,
  findings,
  ...props
}: ItemProps & Shared) {
  const { t } = useText()
  const mine = findings.filter(({ path }) => path.startsWith(`buttons.${button.code}.`))
  return (
    <li className={`jw-cfg__button${isDragged ? ' is-dragged' : ''}`}>
      <div className="jw-cfg__head">
        <span className="jw-dfield__grip" aria-hidden {...grip}>
          <DragHandleVertical size={14} />
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          data-button={button.code}
          onClick={onOpen}
          onKeyDown={onKeyDown}
        >
          <ChevronDown size={14} />
          {button.name}
          <small className="jw-muted">{t(`enum.buttonPosition.${button.position}`)}</small>
          {mine.length === 0 ? null : (
            <span
              className={`jw-badge is-${mine.some(({ severity }) => severity === 'error') ? 'error' : 'warning'}`}
            >
              {mine.length}
            </span>
          )}
        </button>
        <PushButton
          variant="minimal"
          size="small"
          icon={<Trash size={14} />}
          aria-label={t('designer.button.remove', { name: button.name })}
          title={t('designer.remove')}
          onClick={onRemove}
        />
      </div>
      {mine.length === 0 ? null : (
        <div
          className={
            mine.some(({ severity }) => severity === 'error') ? 'jw-cfg__fault' : 'jw-cfg__warning'
          }
        >
          {mine.map((finding) => (
            <div key={finding.id + finding.path}>{finding.msg}</div>
          ))}
        </div>
      )}
      {isOpen ? <ButtonForm button={button} index={index} {...props} /> : null}
    </li>
  )
}
