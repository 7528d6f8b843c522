import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { valueText } from '@jiaowu/api/fields/money'
import type { WireValue } from '@jiaowu/api/entity/values'
import { formatBlock, htmlOfBlock } from '@jiaowu/machines/grid-edit/clipboard/clipboard'
import {
  type GridCell,
  gridCell,
  type GridEditView,
  gridRow,
  gridValues,
} from '@jiaowu/machines/grid-edit/view'
import type { GridContext, GridEvent } from '@jiaowu/machines/grid-edit/context'
import { selectedBlock } from '@jiaowu/machines/grid-edit/clipboard/paste'
import {
  type ClipboardEvent,
  type CompositionEvent,
  type InputEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { PickerControl } from '../../fields/choices/choice-controls.tsx'
import { findFieldSurface } from '../../fields/index.tsx'
import { useText } from '../../app/text-context.ts'
import { readClipboardBlock } from './clipboard-block.ts'
import type { CellPlace } from './cell-place.ts'
import { readRange } from './cell-tip.tsx'
import { gridKey } from './grid-keys.ts'

interface Props {
  readonly tag: string
  readonly view: GridEditView
  readonly context: GridContext
  readonly place: CellPlace | null
  readonly input: RefObject<HTMLTextAreaElement | null>
  /** Id of the words that say why the active cell is not stored. */
  readonly tip: string
  /** Rows in sight. */
  readonly page: () => number
  readonly send: (event: GridEvent) => void
  readonly onCopied: (count: number) => void
}

/**
 * The input of a grid. One text area lies over the active cell and always has the focus, so that an
 * input method composes in it from its first letter. It shows only while a cell is edited.
 */
export function GridEditor(props: Props) {
  const { view, context, place, input, tip, page, send } = props
  const { locale, t } = useText()
  const { anchor } = view.selection
  const field = view.columns[anchor.col]
  const isEditing = view.step === 'editing' || view.step === 'composing'
  const control = isEditing && field !== undefined && hasControl(field, view.isTyped) ? field : null
  const { typed, isSearching, handlers } = useTyping(props, field)
  useSelectedText(view, field, input)
  const clipboard = useClipboard(props)
  const state = gridCell(context, anchor.row, anchor.col)?.state
  const isTold = hasTip(view, state, readRange(view, context, locale))
  const at = place ?? { left: 0, top: 0, width: 1, height: 1 }
  const label =
    field === undefined
      ? t('grid.open')
      : anchor.row < view.total
        ? t('grid.cell', { row: anchor.row + 1, label: field.uiLabel })
        : t('grid.newCell', { label: field.uiLabel })
  return (
    <>
      <textarea
        ref={input}
        className={`jw-cells__input${(isEditing && control === null) || isSearching ? ' is-open' : ''}`}
        style={{ left: at.left, top: at.top, minWidth: at.width, height: at.height }}
        rows={1}
        aria-label={label}
        {...(state === 'refused' ? { 'aria-invalid': true } : {})}
        {...(isTold ? { 'aria-describedby': tip } : {})}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.keyCode === 229) return
          const isOpening = event.key === 'F2' || (event.altKey && event.key === 'ArrowDown')
          if (view.conflict !== null && isOpening) {
            event.preventDefault()
            event.currentTarget.parentElement
              ?.querySelector<HTMLElement>('.jw-cells__tip button')
              ?.focus()
            return
          }
          const next = gridKey(view, context, event, page())
          if (next === null) return
          event.preventDefault()
          event.stopPropagation()
          send(next)
        }}
        {...handlers}
        {...clipboard}
      />
      {control === null || place === null ? null : (
        <CellControl
          {...props}
          key={`${anchor.row} ${anchor.col}`}
          place={place}
          field={control}
          label={label}
          typedRef={typed}
          value={view.editing ?? null}
          rowId={gridRow(context, anchor.row)?.id ?? null}
        />
      )}
    </>
  )
}

/** Whether words beside the active cell say why it is not stored, or what it takes. */
function hasTip(view: GridEditView, state: GridCell['state'] | undefined, range: string): boolean {
  return state === 'refused' || state === 'stale' || (view.step === 'editing' && range !== '')
}

/**
 * Keeps the text that is typed and composed in the text area. `typed`: the text that the list of a
 * choice is searched for.
 */
function useTyping({ view, send }: Props, field: Field | undefined) {
  const typed = useRef('')
  // Letters that follow the first before its edit is rendered belong to that edit.
  const isStarted = useRef(false)
  useLayoutEffect(() => {
    isStarted.current = false
  })
  // A choice is composed in the text area too; its list opens for the composed word.
  const isChoice = field !== undefined && findKind(field.uiType).family === 'choice'
  const [isSearching, setIsSearching] = useState(false)
  const handlers = {
    onInput: (event: InputEvent<HTMLTextAreaElement>) => {
      if (event.nativeEvent.isComposing || view.step === 'composing') return
      const { value } = event.currentTarget
      // Some browsers tell of composed text once more after its end.
      if (isChoice && value === '') return
      // A choice searches its list for what was typed, and a read-only cell takes nothing.
      if (view.step === 'editing' || (isStarted.current && !isChoice))
        send({ type: 'edit.change', value })
      else {
        typed.current = isChoice ? `${isStarted.current ? typed.current : ''}${value}` : ''
        isStarted.current = view.can.edit
        send({ type: 'edit.start', text: value })
        if (field === undefined || isChoice || !view.can.edit) event.currentTarget.value = ''
      }
    },
    onCompositionStart: () => {
      if (isChoice) setIsSearching(view.can.edit)
      else send({ type: 'compose.start' })
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLTextAreaElement>) => {
      if (!isChoice) return send({ type: 'compose.end', text: currentTarget.value })
      setIsSearching(false)
      typed.current = currentTarget.value
      currentTarget.value = ''
      return send({ type: 'edit.start', text: typed.current })
    },
  }
  return { typed, isSearching, handlers }
}

/** Choices always, dates and switches when their value is opened: what is typed is read as text. */
function hasControl(field: Field, isTyped: boolean): boolean {
  const { family } = findKind(field.uiType)
  return family === 'choice' || ((family === 'temporal' || family === 'flag') && !isTyped)
}

/** The text of the input follows the machine, except while an input method composes in it. */
function useSelectedText(
  view: GridEditView,
  field: Field | undefined,
  inputRef: Props['input'],
): void {
  const { step, editing } = view
  const text = step === 'editing' ? toEditorText(field, editing) : ''
  useLayoutEffect(() => {
    const element = inputRef.current
    if (element === null || step === 'composing' || element.value === text) return
    element.value = text
  }, [inputRef, step, text])
}

/** Typed text stays as it is; a number of fen is edited in yuan. */
function toEditorText(field: Field | undefined, value: WireValue | undefined): string {
  if (typeof value === 'number' && field !== undefined) return valueText(field, value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** While a cell is edited the clipboard belongs to its text. */
function useClipboard({ view, context, send, onCopied }: Props) {
  const copy = (event: ClipboardEvent) => {
    if (view.step !== 'selecting') return
    event.preventDefault()
    const block = selectedBlock(context)
    // Rows that are not loaded are loaded first; the machine then hands the block over.
    if (block === null) return send({ type: 'cells.copy' })
    onCopied(block.reduce((sum, row) => sum + row.length, 0))
    event.clipboardData.setData('text/plain', formatBlock(block))
    event.clipboardData.setData('text/html', htmlOfBlock(block))
  }
  return {
    onCopy: copy,
    onCut: (event: ClipboardEvent) => {
      copy(event)
      if (view.step === 'selecting' && selectedBlock(context) !== null)
        send({ type: 'cells.clear' })
    },
    onPaste: (event: ClipboardEvent) => {
      if (view.step !== 'selecting') return
      event.preventDefault()
      event.stopPropagation()
      send({ type: 'paste.start', block: readClipboardBlock(event.clipboardData) })
    },
  }
}

interface ControlProps extends Props {
  /** The text that opened the control; empty: another key, or the mouse. */
  readonly typedRef: RefObject<string>
  readonly place: CellPlace
  readonly field: Field
  readonly label: string
  readonly value: WireValue
  readonly rowId: string | null
}

/** The field's own control over the cell. */
function CellControl({
  tag,
  view,
  context,
  place,
  input,
  send,
  field,
  label,
  value,
  rowId,
  typedRef,
}: ControlProps) {
  const { family, multiple } = findKind(field.uiType)
  // A cell has room for one line: radios and checkboxes are a list as well.
  const Control = family === 'choice' ? PickerControl : findFieldSurface(field.uiType).Control
  const id = useId()
  useEffect(() => {
    const element = document.getElementById(id)
    const focusable = element?.matches('input,[tabindex],button')
      ? element
      : element?.querySelector<HTMLElement>('input,button')
    focusable?.focus()
    const letters = typedRef.current
    typedRef.current = ''
    if (element?.getAttribute('role') !== 'combobox') return
    if (letters.trim() === '') element.click()
    for (const key of letters.trim())
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }, [id, typedRef])
  const end = (move: 'down' | 'none' | 'right' | 'left') => {
    input.current?.focus({ preventScroll: true })
    send({ type: 'edit.commit', move })
  }
  return (
    <div
      className="jw-cells__control"
      style={{ left: place.left, top: place.top, minWidth: Math.max(place.width, 180) }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || event.defaultPrevented) return
        if (event.key === 'Escape') {
          input.current?.focus({ preventScroll: true })
          send({ type: 'edit.cancel' })
        } else if (event.key === 'Tab') end(event.shiftKey ? 'left' : 'right')
        else if (event.key === 'Enter' && family !== 'choice') end('down')
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <label className="jw-only-read" htmlFor={id} id={`${id}-label`}>
        {label}
      </label>
      <Control
        tag={tag}
        field={field}
        value={value}
        id={id}
        disabled={false}
        invalid={false}
        describedBy={undefined}
        values={gridValues(context, view.selection.anchor.row)}
        rowId={rowId}
        onChange={(next) => {
          send({ type: 'edit.change', value: next })
          if (family === 'flag' || (family === 'choice' && !multiple)) end('none')
        }}
        onBlur={() => {
          if (family === 'choice' && multiple) end('none')
        }}
      />
    </div>
  )
}
