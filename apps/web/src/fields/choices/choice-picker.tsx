import { Tag } from '@blueprintjs/core'
import { CaretDown, Cross } from '@blueprintjs/icons'
import type { DictItem } from '@jiaowu/api/entity/values'
import type { Field } from '@jiaowu/api/entity/config'
import type { LookupChosen } from '@jiaowu/machines/lookup/machine'
import type { KeyboardEvent } from 'react'
import { useText } from '../../app/text-context.ts'
import { isTrap } from '../../ui/overlays/layers.ts'
import { Popover } from '../../ui/overlays/popover.tsx'
import { ChoiceList, toPopupRole } from './choice-list.tsx'
import { isComposing } from '../is-composing.ts'
import { useLookup } from './use-lookup.ts'

interface Props {
  readonly tag: string
  readonly field: Field
  readonly chosen: readonly DictItem[]
  readonly multiple: boolean
  readonly disabled: boolean
  readonly invalid: boolean
  readonly id: string
  readonly describedBy: string | undefined
  /** Chosen ids of the cascade parents. */
  readonly cascades: Readonly<Record<string, string>>
  readonly onChange: (items: readonly DictItem[]) => void
  readonly onClosed?: () => void
}

/**
 * Picker for one or several items of a dictionary, of another entity or of a tree, with search,
 * pages and keyboard (docs/spec/1-entity-console.md §9).
 */
export function ChoicePicker(props: Props) {
  const { field, chosen, multiple, disabled, id, onChange, onClosed } = props
  const lookup = useLookup({ ...props, onChosen: (picked) => pick(picked) })
  const close = () => {
    returnFocus(id)
    lookup.actor.send({ type: 'lookup.close' })
    // The closing list takes the focus once more before it lets go of it.
    setTimeout(() => focusAgain(id))
    onClosed?.()
  }
  const pick = ({ item, isTyped }: Pick<LookupChosen, 'item' | 'isTyped'>) => {
    const bare = { id: item.id, name: item.name }
    const has = chosen.some((each) => each.id === item.id)
    if (multiple) {
      onChange(has ? chosen.filter((each) => each.id !== item.id) : [...chosen, bare])
      return
    }
    // Choosing again what is chosen clears it, except for who typed its name.
    onChange(has && !isTyped && field.valids.required !== true ? [] : [bare])
    close()
  }
  const enter = () => lookup.actor.send({ type: 'lookup.enter', id: null })
  const toggle = () => {
    if (lookup.view.open) close()
    else if (!disabled) lookup.actor.send({ type: 'lookup.open' })
  }
  // A letter typed on the picker, also while its list is still opening, begins the search.
  const type = (letter: string) => {
    if (disabled) return
    const { actor } = lookup
    if (!actor.getSnapshot().hasTag('open')) actor.send({ type: 'lookup.open' })
    const { searchKey } = actor.getSnapshot().context
    actor.send({ type: 'lookup.search', searchKey: searchKey + letter })
  }
  return (
    <Popover
      isOpen={lookup.view.open}
      onInteraction={(next) => {
        if (!next) close()
      }}
      placement="bottom-start"
      // Inside a drawer both focus traps take the focus from the search input while it opens.
      onOpened={(node) => focusSearch(node.querySelector('input'))}
      onClosed={() => setTimeout(() => focusAgain(id), 50)}
      fill
      className="jw-fill"
      content={
        <ChoiceList
          id={buildListId(id)}
          label={field.uiLabel}
          lookup={lookup}
          chosen={chosen}
          multiple={multiple}
        />
      }
    >
      <PickerBox
        {...props}
        isOpen={lookup.view.open}
        tree={lookup.tree}
        onToggle={toggle}
        onEnter={enter}
        onType={type}
      />
    </Popover>
  )
}

const buildListId = (id: string): string => `${id}-list`

/** Focuses the search input with the caret behind what was typed while the list opened. */
function focusSearch(input: HTMLInputElement | null): void {
  input?.focus({ preventScroll: true })
  input?.setSelectionRange(input.value.length, input.value.length)
}

/** After the list is gone, on whose way out a drawer's focus trap may have taken the focus. */
function focusAgain(id: string): void {
  const at = document.activeElement
  if (at === null || at === document.body || isTrap(at))
    document.getElementById(id)?.focus({ preventScroll: true })
}

/** Moves the focus from the list back to its picker, before the list disappears. */
function returnFocus(id: string): void {
  if (document.activeElement?.closest('.jw-choices') !== null)
    document.getElementById(id)?.focus({ preventScroll: true })
}

/** The closed picker: chosen items, clear button and caret. */
function PickerBox({
  field,
  chosen,
  multiple,
  disabled,
  invalid,
  id,
  describedBy,
  isOpen,
  tree,
  onChange,
  onToggle,
  onEnter,
  onType,
}: Props & {
  readonly tree: boolean
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** Enter while the list opens, after letters that began a search. */
  readonly onEnter: () => void
  readonly onType: (letter: string) => void
}) {
  const { t } = useText()
  return (
    <div
      id={id}
      role="combobox"
      tabIndex={disabled ? -1 : 0}
      className="jw-picker"
      aria-expanded={isOpen}
      aria-haspopup={toPopupRole(tree)}
      aria-controls={isOpen ? buildListId(id) : undefined}
      aria-disabled={disabled}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      aria-label={field.uiLabel}
      onClick={onToggle}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget) {
          if (isComposing(event)) return
          if (event.key === 'Enter' && isOpen) {
            event.preventDefault()
            onEnter()
          } else if (['Enter', ' ', 'ArrowDown'].includes(event.key)) {
            event.preventDefault()
            onToggle()
          } else if (isLetter(event)) {
            event.preventDefault()
            onType(event.key)
          }
        }
        if (event.key === 'Delete' && !disabled) onChange([])
      }}
    >
      <Chosen
        chosen={chosen}
        multiple={multiple}
        disabled={disabled}
        onRemove={(item) => onChange(chosen.filter((each) => each.id !== item.id))}
      />
      {chosen.length > 0 && !disabled ? (
        <button
          type="button"
          className="jw-picker__clear"
          tabIndex={-1}
          aria-label={t('field.clear')}
          onClick={(event) => {
            event.stopPropagation()
            onChange([])
          }}
        >
          <Cross size={12} />
        </button>
      ) : null}
      <CaretDown className="jw-picker__caret" />
    </div>
  )
}

/** Whether a key types a character; `event.key` of all other keys is a name (`Tab`, `Process`). */
function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}

function Chosen({
  chosen,
  multiple,
  disabled,
  onRemove,
}: {
  readonly chosen: readonly DictItem[]
  readonly multiple: boolean
  readonly disabled: boolean
  readonly onRemove: (item: DictItem) => void
}) {
  const { t } = useText()
  const [first] = chosen
  if (first === undefined)
    return <span className="jw-picker__empty">{disabled ? '' : t('common.select')}</span>
  if (!multiple) return <span className="jw-picker__one">{first.name || first.id}</span>
  return (
    <span className="jw-picker__many">
      {chosen.map((item) => (
        <Tag
          key={item.id}
          minimal
          {...(disabled
            ? {}
            : {
                onRemove: (event) => {
                  event.stopPropagation()
                  onRemove(item)
                },
              })}
        >
          {item.name || item.id}
        </Tag>
      ))}
    </span>
  )
}
