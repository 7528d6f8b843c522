import { Button, InputGroup, Spinner } from '@blueprintjs/core'
import { ChevronDown, ChevronLeft, ChevronRight, Search, Tick } from '@blueprintjs/icons'
import type { DictItem } from '@jiaowu/api/entity/values'
import { problemText } from '@jiaowu/api/problem'
import { firstLine, type TreeLine, treeLines } from '@jiaowu/machines/lookup/lines'
import { type KeyboardEvent, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { isComposing } from '../is-composing.ts'
import type { Lookup } from './use-lookup.ts'

interface Props {
  /** Id of the list; its lines have it with their index. */
  readonly id: string
  readonly label: string
  readonly lookup: Lookup
  readonly chosen: readonly DictItem[]
  readonly multiple: boolean
}

/** The open picker: search input, list or tree of choices, and pages. */
export function ChoiceList({ id, label, lookup, chosen, multiple }: Props) {
  const { actor, view, tree } = lookup
  const { t } = useText()
  const { lines, at, setAt, open, unfold, onKey } = useLines(id, lookup)
  const isOpen = ({ item }: TreeLine) => open.has(item.id) || view.searchKey !== ''
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
        aria-haspopup={toPopupRole(tree)}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={lines.length > 0 && !view.busy ? `${id}-${at}` : undefined}
        aria-label={t('common.search')}
      />
      <ul
        id={id}
        role={toPopupRole(tree)}
        aria-label={label}
        aria-multiselectable={multiple}
        onMouseDown={(event) => event.preventDefault()}
      >
        {lines.map((line, index) => {
          const isChosen = chosen.some(({ id }) => id === line.item.id)
          return (
            <li
              key={line.item.id}
              id={`${id}-${index}`}
              role={tree ? 'treeitem' : 'option'}
              aria-selected={isChosen}
              aria-disabled={view.busy}
              {...(tree ? treeItem(line, isOpen(line)) : {})}
              className={`jw-choice${view.busy ? ' is-stale' : index === at ? ' is-at' : ''}${isChosen ? ' is-chosen' : ''}`}
              style={{ paddingLeft: 8 + line.depth * 18 }}
              onMouseEnter={() => setAt(index)}
              onClick={() => actor.send({ type: 'lookup.choose', id: line.item.id })}
              onKeyDown={onKey}
            >
              {tree ? <Unfold line={line} isOpen={isOpen(line)} onUnfold={unfold} /> : null}
              <Choice item={line.item} />
              {isChosen ? <Tick className="jw-choice__tick" size={14} /> : null}
            </li>
          )
        })}
      </ul>
      <Notes lookup={lookup} isEmpty={lines.length === 0} />
      <Pages lookup={lookup} />
    </div>
  )
}

export function toPopupRole(tree: boolean): 'tree' | 'listbox' {
  return tree ? 'tree' : 'listbox'
}

function treeItem({ depth, hasChildren }: TreeLine, isOpen: boolean) {
  return { 'aria-level': depth + 1, ...(hasChildren ? { 'aria-expanded': isOpen } : {}) }
}

/** Lines of the list, the one under the cursor, the unfolded ones, and the keyboard handler. */
function useLines(id: string, { actor, view, tree }: Lookup) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['']))
  const lines: readonly TreeLine[] = tree
    ? treeLines(view.items, open, view.searchKey)
    : view.items.map((item) => ({ item, depth: 0, hasChildren: false }))
  // The cursor belongs to one answer: the next one begins at its first line.
  const first = tree && view.searchKey !== '' ? firstLine(lines, view.searchKey) : 0
  const [cursor, setCursor] = useState({ items: view.items, key: view.searchKey, at: 0 })
  const isOwn = cursor.items === view.items && cursor.key === view.searchKey
  const at = isOwn ? cursor.at : first
  const setAt = (to: number) => {
    if (!view.busy) setCursor({ items: view.items, key: view.searchKey, at: to })
  }
  const unfold = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const move = (to: number) => {
    setAt(to)
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: KeyboardEvent) => {
    // The Enter that ends a composition chooses nothing.
    if (isComposing(event)) return
    const line = lines[at]
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      move(Math.min(at + 1, lines.length - 1))
    }
    if (event.key === 'ArrowUp') {
      event.preventDefault()
      move(Math.max(at - 1, 0))
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
    if (event.key === 'Enter') {
      event.preventDefault()
      actor.send({ type: 'lookup.enter', id: line?.item.id ?? null })
    }
  }
  return { lines, at, setAt, open, unfold, onKey }
}

/** A name, and below it what tells namesakes apart. */
function Choice({ item: { name, note } }: { readonly item: DictItem }) {
  return note === undefined ? (
    <span>{name}</span>
  ) : (
    <span className="jw-choice__lines">
      <span>{name}</span>
      <small className="jw-choice__note">{note}</small>
    </span>
  )
}

/** For the mouse; the line says whether it is unfolded, and the arrow keys do it too. */
function Unfold({
  line: { item, hasChildren },
  isOpen,
  onUnfold,
}: {
  readonly line: TreeLine
  readonly isOpen: boolean
  readonly onUnfold: (id: string) => void
}) {
  return (
    <span
      aria-hidden
      className="jw-choice__toggle"
      style={{ visibility: hasChildren ? 'visible' : 'hidden' }}
      onClick={(event) => {
        event.stopPropagation()
        onUnfold(item.id)
      }}
    >
      {isOpen ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
    </span>
  )
}

/** The problem of the last search with a retry button, or a note that nothing was found. */
function Notes({
  lookup: { actor, view },
  isEmpty,
}: Pick<Props, 'lookup'> & { readonly isEmpty: boolean }) {
  const { t, locale } = useText()
  return (
    <>
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
      {isEmpty && !view.busy && view.problem === null ? (
        <div className="jw-choices__note">{t('common.empty')}</div>
      ) : null}
    </>
  )
}

/** Page buttons; a tree has no pages. */
function Pages({ lookup: { actor, view, tree } }: Pick<Props, 'lookup'>) {
  const { t } = useText()
  if (view.pageCount <= 1 || tree) return null
  return (
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
  )
}
