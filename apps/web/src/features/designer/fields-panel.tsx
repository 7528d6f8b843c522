import { Button, InputGroup, Tag } from '@blueprintjs/core'
import { Add, Cross, DragHandleVertical, Properties, Search } from '@blueprintjs/icons'
import { holdsValue } from '@jiaowu/api'
import type { DesignerEdit, DesignerView, DesignFieldView } from '@jiaowu/machines'
import { Fragment, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import type { FieldDrag } from './field-drag.ts'
import { goBy } from './go-by.ts'
import { CustomFieldDialog } from './custom-field-dialog.tsx'

interface RowProps {
  readonly view: DesignFieldView
  readonly drag: FieldDrag | null
  readonly canEdit: boolean
  readonly stop: boolean
  readonly onReach: () => void
  readonly onSelect: () => void
  readonly onRemove: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

interface Props {
  readonly view: DesignerView
  readonly drag: FieldDrag
  readonly send: (edit: DesignerEdit) => void
  readonly onSelect: (id: string | null) => void
}

const Gap = () => <li className="jw-dfields__gap" aria-hidden />

/** The entity's fields in their order (docs/spec/2-student-service-and-designer.md §2): found by label, reordered by hand or keyboard, grouped, removed. */
export function FieldsPanel({ view, drag, send, onSelect }: Props) {
  const { t } = useApp()
  const [wanted, setWanted] = useState('')
  const [adding, setAdding] = useState(false)
  const [reached, setReached] = useState<string | null>(null)
  const onKeyDown = useFieldKeys(view, drag.list, send)
  // Between the fields that are found, a place says nothing.
  const gap = wanted.trim() === '' ? (drag.drag?.gap ?? null) : null
  const word = wanted.trim().toLowerCase()
  const shown = view.fields.filter(({ field }) => field.uiLabel.toLowerCase().includes(word))
  // One stop for Tab, where the keyboard was last; arrows within.
  const stop = (
    shown.find(({ field }) => field.id === reached) ??
    shown.find(({ selected }) => selected) ??
    shown[0]
  )?.field.id
  return (
    <section
      className="jw-dpanel jw-dfields"
      aria-label={t('designer.fields')}
      tabIndex={-1}
      data-part-of-page
    >
      <header>
        <h3>{t('designer.fields')}</h3>
        <span className="jw-dpanel__count">
          {t('designer.columns.count', { n: shown.length, all: view.fields.length })}
        </span>
        <Button
          variant={view.selected === null ? 'solid' : 'minimal'}
          size="small"
          icon={<Properties size={14} />}
          text={t('designer.entity')}
          onClick={() => onSelect(null)}
        />
      </header>
      <div className="jw-dpanel__search">
        <InputGroup
          size="small"
          type="search"
          leftElement={<Search className="bp6-icon" size={12} />}
          placeholder={t('designer.fields.search')}
          aria-label={t('designer.fields.search')}
          value={wanted}
          onValueChange={setWanted}
        />
        <Button
          size="small"
          disabled={!view.can.edit}
          text={t('designer.fields.group')}
          className="jw-dfields__group"
          {...(view.can.edit
            ? { onPointerDown: drag.take({ kind: 'group', label: t('designer.fields.group') }) }
            : {})}
          onClick={() => send({ type: 'group.add' })}
        />
        <Button
          size="small"
          disabled={!view.can.edit}
          icon={<Add size={14} />}
          text={t('designer.fields.custom')}
          onClick={() => setAdding(true)}
        />
      </div>
      <ul
        className="jw-dpanel__scroll"
        ref={drag.list}
        onKeyDown={(event) => goBy(event, '.jw-dfield__main')}
      >
        {shown.map((each, index) => (
          <Fragment key={each.field.id}>
            {gap === index ? <Gap /> : null}
            <FieldRow
              view={each}
              drag={word === '' && view.can.edit ? drag : null}
              canEdit={view.can.edit}
              stop={each.field.id === stop}
              onReach={() => setReached(each.field.id)}
              onSelect={() => onSelect(each.field.id)}
              onRemove={() => send({ type: 'field.remove', id: each.field.id })}
              onKeyDown={onKeyDown(each.field.id)}
            />
          </Fragment>
        ))}
        {gap !== null && gap >= shown.length ? <Gap /> : null}
        <li className="jw-dfields__end">
          {view.fields.length === 0
            ? t('designer.fields.none')
            : shown.length === 0
              ? t('designer.fields.noMatch')
              : null}
        </li>
      </ul>
      <footer className="jw-muted">{t('designer.fields.hint')}</footer>
      {adding ? (
        <CustomFieldDialog
          draft={view.draft}
          onAdd={(field) => {
            setAdding(false)
            send({ type: 'custom.add', field })
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </section>
  )
}

/** Alt+arrows move a field, arrows go through them, Delete takes one away; the keyboard stays where the field is. */
function useFieldKeys(
  view: DesignerView,
  list: FieldDrag['list'],
  send: (edit: DesignerEdit) => void,
) {
  const follow = useRef<string | null>(null)
  useEffect(() => {
    if (follow.current !== null) {
      focusOn(list.current, follow.current)
      follow.current = null
    }
  }, [view.fields, list])
  const onKeyDown = (id: string) => (event: KeyboardEvent) => {
    const at = view.fields.findIndex(({ field }) => field.id === id)
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by !== 0 && event.altKey) {
      event.preventDefault()
      if (at + by < 0 || at + by >= view.fields.length) return
      follow.current = id
      send({ type: 'field.move', id, to: at + by })
    }
    if (event.key === 'Delete') {
      event.preventDefault()
      follow.current = (view.fields[at + 1] ?? view.fields[at - 1])?.field.id ?? null
      send({ type: 'field.remove', id })
    }
  }
  return onKeyDown
}

function focusOn(list: HTMLElement | null, id: string | undefined) {
  if (id !== undefined)
    list?.querySelector<HTMLElement>(`[data-field="${CSS.escape(id)}"]`)?.focus()
}

function FieldRow({
  view: { field, selected, custom, findings },
  drag,
  canEdit,
  stop,
  onReach,
  onSelect,
  onRemove,
  onKeyDown,
}: RowProps) {
  const { t } = useApp()
  const label = field.uiLabel === '' ? t('designer.fields.unnamed') : field.uiLabel
  const isDragged = drag?.drag?.what.kind === 'field' && drag.drag.what.id === field.id
  const worst = findings.some(({ severity }) => severity === 'error') ? 'error' : 'warning'
  return (
    <li
      data-row
      className={`jw-dfield${selected ? ' is-selected' : ''}${isDragged ? ' is-dragged' : ''}${holdsValue(field.uiType) ? '' : ' is-group'}`}
    >
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
        tabIndex={stop ? 0 : -1}
        onFocus={onReach}
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
