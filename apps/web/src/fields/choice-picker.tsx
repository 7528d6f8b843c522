import { Button, InputGroup, Spinner, Tag } from '@blueprintjs/core'
import {
  CaretDown,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  Cross,
  Search,
  Tick,
} from '@blueprintjs/icons'
import { type DictItem, type Field, kindOf, problemText } from '@jiaowu/api'
import { findLocally, lookupActors, lookupMachine, lookupView } from '@jiaowu/machines'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useApp } from '../shell/context/app-context.tsx'
import { Popover } from '../ui/popover.tsx'
import { treeLines } from './tree.ts'
import { useMachineActor } from './use-machine-actor.ts'
import { useView } from './use-view.ts'

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

/** One or several of a dictionary, of another entity's rows, or of a tree: searched, paged, by keyboard as well (docs/spec/1-entity-console.md §9). */
export function ChoicePicker(props: Props) {
  const { field, chosen, multiple, disabled, invalid, id, describedBy, onChange, onClosed } = props
  const { t } = useApp()
  const lookup = useLookup(props)
  const close = () => {
    takeFocusBack(id)
    lookup.actor.send({ type: 'lookup.close' })
    onClosed?.()
  }
  const pick = (item: DictItem) => {
    const bare = { id: item.id, name: item.name }
    const has = chosen.some((each) => each.id === item.id)
    if (multiple) {
      onChange(has ? chosen.filter((each) => each.id !== item.id) : [...chosen, bare])
      return
    }
    onChange(has && field.valids.required !== true ? [] : [bare])
    close()
  }
  const toggle = () => {
    if (lookup.view.open) close()
    else if (!disabled) lookup.actor.send({ type: 'lookup.open' })
  }
  return (
    <Popover
      isOpen={lookup.view.open}
      onInteraction={(next) => {
        if (!next) close()
      }}
      placement="bottom-start"
      fill
      className="jw-fill"
      content={<Choices lookup={lookup} chosen={chosen} multiple={multiple} onPick={pick} />}
    >
      <div
        id={id}
        role="combobox"
        tabIndex={disabled ? -1 : 0}
        className="jw-picker"
        aria-expanded={lookup.view.open}
        aria-haspopup="listbox"
        aria-disabled={disabled}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-label={field.uiLabel}
        onClick={toggle}
        onKeyDown={(event) => {
          if (
            event.target === event.currentTarget &&
            ['Enter', ' ', 'ArrowDown'].includes(event.key)
          ) {
            event.preventDefault()
            toggle()
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
    </Popover>
  )
}

function useLookup({ tag, field, cascades }: Props) {
  const { api } = useApp()
  const tree = kindOf(field.uiType).tree
  const actor = useMachineActor(() => ({
    machine: lookupMachine.provide({
      actors: lookupActors({
        find:
          field.dictData === undefined
            ? (question, signal) =>
                api.entityData.lookup({
                  params: { tag },
                  body: {
                    fieldId: question.fieldId,
                    searchKey: question.searchKey,
                    cascades: question.cascades,
                    pageNum: question.pageNum,
                    pageSize: question.pageSize,
                  },
                  signal,
                })
            : findLocally(field.dictData, tree),
      }),
    }),
    input: { tag, fieldId: field.id, cascades },
  }))
  const key = JSON.stringify(cascades)
  useEffect(() => {
    actor.send({ type: 'cascades.change', cascades: JSON.parse(key) as Record<string, string> })
  }, [actor, key])
  return {
    actor,
    view: useView(actor, lookupView),
    tree,
  }
}

/** The keyboard goes on where it was: from the list back to its picker, before the list is gone. */
function takeFocusBack(id: string): void {
  if (document.activeElement?.closest('.jw-choices') !== null)
    document.getElementById(id)?.focus({ preventScroll: true })
}

function Choices({
  lookup: { actor, view, tree },
  chosen,
  multiple,
  onPick,
}: {
  readonly lookup: ReturnType<typeof useLookup>
  readonly chosen: readonly DictItem[]
  readonly multiple: boolean
  readonly onPick: (item: DictItem) => void
}) {
  const { t, locale } = useApp()
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['']))
  const lines = tree
    ? treeLines(view.items, open, view.searchKey)
    : view.items.map((item) => ({ item, depth: 0, hasChildren: false }))
  useEffect(() => setAt(0), [view.searchKey, view.pageNum])
  const unfold = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const onKey = (event: KeyboardEvent) => {
    const line = lines[at]
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      setAt(Math.min(at + 1, lines.length - 1))
    }
    if (event.key === 'ArrowUp') {
      event.preventDefault()
      setAt(Math.max(at - 1, 0))
    }
    if (
      (event.key === 'ArrowRight' || event.key === 'ArrowLeft') &&
      tree &&
      line?.hasChildren === true &&
      open.has(line.item.id) === (event.key === 'ArrowLeft')
    ) {
      event.preventDefault()
      unfold(line.item.id)
    }
    if (event.key === 'Enter' && line !== undefined) {
      event.preventDefault()
      onPick(line.item)
    }
  }
  return (
    <div className="jw-choices">
      <InputGroup
        autoFocus
        size="small"
        leftElement={<Search className="bp6-icon" size={12} />}
        {...(view.busy ? { rightElement: <Spinner size={14} /> } : {})}
        placeholder={t('common.search')}
        value={view.searchKey}
        onValueChange={(searchKey) => actor.send({ type: 'lookup.search', searchKey })}
        onKeyDown={onKey}
        role="combobox"
        aria-expanded
        aria-label={t('common.search')}
      />
      <ul
        role="listbox"
        aria-multiselectable={multiple}
        onMouseDown={(event) => event.preventDefault()}
      >
        {lines.map(({ item, depth, hasChildren }, index) => (
          <li
            key={item.id}
            role="option"
            aria-selected={chosen.some(({ id }) => id === item.id)}
            className={`jw-choice${index === at ? ' is-at' : ''}${chosen.some(({ id }) => id === item.id) ? ' is-chosen' : ''}`}
            style={{ paddingLeft: 8 + depth * 18 }}
            onMouseEnter={() => setAt(index)}
            onClick={() => onPick(item)}
            onKeyDown={onKey}
          >
            {tree ? (
              <button
                type="button"
                tabIndex={-1}
                className="jw-choice__toggle"
                style={{ visibility: hasChildren ? 'visible' : 'hidden' }}
                aria-label={item.name}
                onClick={(event) => {
                  event.stopPropagation()
                  unfold(item.id)
                }}
              >
                {open.has(item.id) || view.searchKey !== '' ? (
                  <ChevronDown size={12} />
                ) : (
                  <ChevronRight size={12} />
                )}
              </button>
            ) : null}
            <span>{item.name}</span>
            {chosen.some(({ id }) => id === item.id) ? (
              <Tick className="jw-choice__tick" size={14} />
            ) : null}
          </li>
        ))}
      </ul>
      {view.problem === null ? null : (
        <div className="jw-choices__note" role="alert">
          {problemText(locale, view.problem)}{' '}
          <Button
            size="small"
            variant="minimal"
            text={t('common.retry')}
            onClick={() => actor.send({ type: 'lookup.retry' })}
          />
        </div>
      )}
      {lines.length === 0 && !view.busy && view.problem === null ? (
        <div className="jw-choices__note">{t('common.empty')}</div>
      ) : null}
      {view.pageCount > 1 && !tree ? (
        <div className="jw-choices__foot">
          <Button
            size="small"
            variant="minimal"
            icon={<ChevronLeft />}
            aria-label={t('pager.previous')}
            disabled={view.pageNum <= 1 || view.busy}
            onClick={() => actor.send({ type: 'lookup.page', pageNum: view.pageNum - 1 })}
          />
          <span>
            {view.pageNum} / {view.pageCount}
          </span>
          <Button
            size="small"
            variant="minimal"
            icon={<ChevronRight />}
            aria-label={t('pager.next')}
            disabled={view.pageNum >= view.pageCount || view.busy}
            onClick={() => actor.send({ type: 'lookup.page', pageNum: view.pageNum + 1 })}
          />
        </div>
      ) : null}
    </div>
  )
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
  const { t } = useApp()
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
