import { Button as PushButton, HTMLSelect, Switch } from '@blueprintjs/core'
import { Add, ChevronDown, DragHandleVertical, Trash } from '@blueprintjs/icons'
import type { Button, DefinitionFinding, Row } from '@jiaowu/api'
import type { DesignerEdit, Draft } from '@jiaowu/machines'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useApp } from '../../../shell/context/app-context.tsx'
import { MenuIcon, menuIconNames } from '../../../shell/navigation/menu-icons.tsx'
import { useReorder } from '../../../ui/reorder.ts'
import { ActionsEditor } from './actions-editor.tsx'
import { fieldChoices } from './entity-sections.ts'
import { ExpressionInput } from './expression-input.tsx'
import { type Choice, withCurrent } from './rows.ts'
import { TypedInput } from './typed-input.tsx'

interface Shared {
  readonly draft: Draft
  readonly entities: readonly Choice[]
  readonly samples: readonly Row[]
  readonly findings: readonly DefinitionFinding[]
  readonly send: (edit: DesignerEdit) => void
}

interface Item {
  readonly button: Button
  /** Its place in the draft, whatever a hand is doing. */ readonly index: number
  readonly isOpen: boolean
  readonly isHeld: boolean
  readonly grip: object
  readonly onOpen: () => void
  readonly onRemove: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** The entity's own buttons: where they stand and in which order, when they show, what they do (docs/spec/1-entity-console.md §3, docs/rules/contract.md#definitions). */
export function ButtonsEditor(props: Shared) {
  const { t } = useApp()
  const {
    draft: { buttons },
    send,
  } = props
  const [open, setOpen] = useState<number | null>(null)
  const isNew = useRef(false)
  const add = useRef<HTMLButtonElement>(null)
  const move = (index: number, to: number) => {
    setOpen(open === null ? null : placesAfter(buttons.length, index, to).indexOf(open))
    send({ type: 'button.move', index, to })
  }
  const remove = (index: number) => {
    setOpen(null)
    send({ type: 'button.remove', index })
    if (buttons.length === 1) add.current?.focus()
  }
  const { held, list, grip, order } = useButtonDrag(buttons.length, move)
  const { onKeyDown, takeAway } = useButtonKeys(buttons, list, move, remove)
  // Who adds a button names it next.
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
              isHeld={held === place}
              grip={grip(place)}
              onOpen={() => setOpen(open === index ? null : index)}
              onRemove={() => takeAway(index)}
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

/** Which button stands where once one is moved. */
function placesAfter(count: number, index: number, to: number): readonly number[] {
  return placesOf(count)
    .filter((each) => each !== index)
    .toSpliced(to, 0, index)
}

function placesOf(count: number): readonly number[] {
  return Array.from({ length: count }, (_none, index) => index)
}

/** The order while a hand holds a button; one drop is one edit, so that it is undone at once. */
function useButtonDrag(count: number, onDrop: (index: number, to: number) => void) {
  const [drag, setDrag] = useState<{
    readonly order: readonly number[]
    readonly index: number
  } | null>(null)
  const order = drag?.order ?? placesOf(count)
  const reorder = useReorder(
    (from, to) => {
      const next = [...order]
      const [index] = next.splice(from, 1)
      if (index !== undefined) {
        next.splice(to, 0, index)
        setDrag({ order: next, index: drag?.index ?? index })
      }
    },
    (kept) => {
      setDrag(null)
      if (kept && drag !== null) onDrop(drag.index, drag.order.indexOf(drag.index))
    },
  )
  return { ...reorder, order }
}

/** Alt+arrows move a button, arrows go through them, Delete takes one away; the keyboard stays with the button. */
function useButtonKeys(
  buttons: readonly Button[],
  list: RefObject<HTMLElement | null>,
  move: (index: number, to: number) => void,
  remove: (index: number) => void,
) {
  const follow = useRef<string | null>(null)
  const takeAway = (index: number) => {
    follow.current = (buttons[index + 1] ?? buttons[index - 1])?.code ?? null
    remove(index)
  }
  const focusOn = (code: string | undefined) => {
    if (code !== undefined)
      list.current?.querySelector<HTMLElement>(`[data-button="${CSS.escape(code)}"]`)?.focus()
  }
  useEffect(() => {
    if (follow.current !== null) {
      focusOn(follow.current)
      follow.current = null
    }
  })
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by === 0 && event.key !== 'Delete') return
    event.preventDefault()
    const neighbour = buttons[index + by]
    if (by === 0) {
      takeAway(index)
      return
    }
    if (!event.altKey) {
      focusOn(neighbour?.code)
      return
    }
    if (neighbour === undefined) return
    follow.current = buttons[index]?.code ?? null
    move(index, index + by)
  }
  return { onKeyDown, takeAway }
}

function ButtonItem({
  button,
  index,
  isOpen,
  isHeld,
  grip,
  onOpen,
  onRemove,
  onKeyDown,
  findings,
  ...props
}: Item & Shared) {
  const { t } = useApp()
  const mine = findings.filter(({ path }) => path.startsWith(`buttons.${button.code}.`))
  return (
    <li className={`jw-cfg__button${isHeld ? ' is-dragged' : ''}`}>
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

function ButtonForm({
  button,
  index,
  draft,
  entities,
  samples,
  send,
}: Omit<Shared, 'findings'> & { readonly button: Button; readonly index: number }) {
  const { t } = useApp()
  const onSet = (patch: Partial<Button>) => send({ type: 'button.set', index, patch })
  const path = (part: string) => `buttons.${button.code}.${part}`
  return (
    <>
      <Line label={t('designer.button.name')} path={path('name')}>
        <TypedInput
          label={t('designer.button.name')}
          value={button.name}
          onCommit={(name) => onSet({ name })}
        />
      </Line>
      <Line label={t('designer.button.nameEn')} path={path('nameEn')}>
        <TypedInput
          label={t('designer.button.nameEn')}
          value={button.nameEn ?? ''}
          onCommit={(nameEn) => onSet({ nameEn })}
        />
      </Line>
      <Line label={t('designer.button.code')} path={path('code')}>
        <TypedInput
          mono
          label={t('designer.button.code')}
          value={button.code}
          onCommit={(code) => onSet({ code: code.trim() })}
        />
      </Line>
      <Line label={t('designer.button.icon')} path={path('icon')}>
        <span className="jw-cfg__icon">
          <MenuIcon name={button.icon} />
          <HTMLSelect
            fill
            aria-label={t('designer.button.icon')}
            value={button.icon ?? ''}
            onChange={(event) =>
              onSet({ icon: event.currentTarget.value === '' ? null : event.currentTarget.value })
            }
          >
            <option value="">{t('designer.none')}</option>
            {withCurrent(
              menuIconNames.map((name) => ({ value: name, text: name })),
              button.icon ?? '',
            ).map(({ value }) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </HTMLSelect>
        </span>
      </Line>
      <Line label={t('designer.button.position')} path={path('position')}>
        <HTMLSelect
          fill
          aria-label={t('designer.button.position')}
          value={button.position}
          onChange={(event) =>
            onSet({ position: Number(event.currentTarget.value) as Button['position'] })
          }
        >
          {([1, 2, 3, 4] as const).map((position) => (
            <option key={position} value={position}>
              {t(`enum.buttonPosition.${position}`)}
            </option>
          ))}
        </HTMLSelect>
      </Line>
      <Line label={t('designer.button.status')} path={path('status')}>
        <Switch
          checked={button.status === 1}
          aria-label={t('designer.button.status')}
          onChange={(event) => onSet({ status: event.currentTarget.checked ? 1 : 0 })}
        />
      </Line>
      <Line label={t('designer.button.condition')} path={path('positionExp')}>
        <ExpressionInput
          value={button.positionExp ?? ''}
          label={t('designer.button.condition')}
          hint={t('designer.button.conditionHint')}
          samples={samples}
          onCommit={(text) => onSet({ positionExp: text.trim() === '' ? null : text })}
        />
      </Line>
      <Line label={t('designer.button.confirm')} path={path('confirm')}>
        <TypedInput
          label={t('designer.button.confirm')}
          value={button.confirm ?? ''}
          onCommit={(confirm) => onSet({ confirm: confirm.trim() })}
        />
      </Line>
      <Line label={t('designer.button.eventType')} path={path('eventType')}>
        <HTMLSelect
          fill
          aria-label={t('designer.button.eventType')}
          value={button.eventType}
          onChange={(event) =>
            onSet({
              eventType: Number(event.currentTarget.value) as 1 | 2,
              eventContent: event.currentTarget.value === '1' ? [] : '',
            })
          }
        >
          {([1, 2] as const).map((type) => (
            <option key={type} value={type}>
              {t(`designer.button.eventType.${type}`)}
            </option>
          ))}
        </HTMLSelect>
      </Line>
      <div data-path={path('eventContent')}>
        <Content button={button} draft={draft} entities={entities} onSet={onSet} />
      </div>
    </>
  )
}

function Line({
  label,
  path,
  children,
}: {
  readonly label: string
  readonly path: string
  readonly children: ReactNode
}) {
  return (
    <div className="jw-cfg__row" data-path={path}>
      <span className="jw-cfg__label">{label}</span>
      <div className="jw-cfg__control">{children}</div>
    </div>
  )
}

function Content({
  button,
  draft,
  entities,
  onSet,
}: Pick<Shared, 'draft' | 'entities'> & {
  readonly button: Button
  readonly onSet: (patch: Partial<Button>) => void
}) {
  const { t } = useApp()
  // SQL buttons are not run (docs/rules/contract.md#definitions): what is written in one is kept, and said to be idle.
  if (button.eventType === 2)
    return (
      <TypedInput
        mono
        lines={3}
        label={t('designer.button.sql')}
        value={typeof button.eventContent === 'string' ? button.eventContent : ''}
        onCommit={(eventContent) => onSet({ eventContent })}
      />
    )
  return (
    <ActionsEditor
      actions={Array.isArray(button.eventContent) ? button.eventContent : []}
      fields={fieldChoices(draft)}
      entities={entities}
      onChange={(actions) => onSet({ eventContent: [...actions] })}
    />
  )
}
