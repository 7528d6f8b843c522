import { Button, InputGroup } from '@blueprintjs/core'
import { Add, Properties, Search } from '@blueprintjs/icons'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { Fragment, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { moveFocusByKey } from './arrow-keys.ts'
import { CustomFieldDialog } from './custom-field-dialog.tsx'
import type { FieldDrag } from './field-drag.ts'
import { FieldRow } from './field-row.tsx'

interface Props {
  readonly view: DesignerView
  readonly drag: FieldDrag
  readonly send: (edit: DesignerEdit) => void
  readonly onSelect: (id: string | null) => void
}

const Gap = () => <li className="jw-dfields__gap" aria-hidden />

/**
 * The entity's fields in their order, with search, reordering by drag or keyboard, groups and
 * removal (docs/spec/2-student-service-and-designer.md §2).
 */
export function FieldsPanel({ view, drag, send, onSelect }: Props) {
  const { t } = useText()
  const [search, setSearch] = useState('')
  const [isAdding, setAdding] = useState(false)
  const keyword = search.trim().toLowerCase()
  const shown = view.fields.filter(({ field }) => field.uiLabel.toLowerCase().includes(keyword))
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
          value={search}
          onValueChange={setSearch}
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
      <FieldList
        view={view}
        shown={shown}
        isFiltered={keyword !== ''}
        drag={drag}
        send={send}
        onSelect={onSelect}
      />
      <footer className="jw-muted">{t('designer.fields.hint')}</footer>
      {isAdding ? (
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

interface ListProps extends Props {
  readonly shown: DesignerView['fields']
  readonly isFiltered: boolean
}

/**
 * The fields that match the search. A filtered list takes no drops, since positions among some of
 * the fields are ambiguous.
 */
function FieldList({ view, shown, isFiltered, drag, send, onSelect }: ListProps) {
  const { t } = useText()
  const [focused, setFocused] = useState<string | null>(null)
  const onKeyDown = useFieldKeys(view, drag.list, send)
  const gap = isFiltered ? null : (drag.drag?.gap ?? null)
  // One tab stop: the field that had the focus last, else the selected one.
  const tabStop = (
    shown.find(({ field }) => field.id === focused) ??
    shown.find(({ selected }) => selected) ??
    shown[0]
  )?.field.id
  return (
    <ul
      className="jw-dpanel__scroll"
      ref={drag.list}
      onKeyDown={(event) => moveFocusByKey(event, '.jw-dfield__main')}
    >
      {shown.map((each, index) => (
        <Fragment key={each.field.id}>
          {gap === index ? <Gap /> : null}
          <FieldRow
            view={each}
            drag={!isFiltered && view.can.edit ? drag : null}
            canEdit={view.can.edit}
            isTabStop={each.field.id === tabStop}
            onFocus={() => setFocused(each.field.id)}
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
  )
}

/**
 * Alt with an arrow moves a field and keeps its focus; Delete removes a field and focuses its
 * neighbour.
 */
function useFieldKeys(
  view: DesignerView,
  list: FieldDrag['list'],
  send: (edit: DesignerEdit) => void,
) {
  const focusNext = useRef<string | null>(null)
  useEffect(() => {
    if (focusNext.current !== null) {
      list.current
        ?.querySelector<HTMLElement>(`[data-field="${CSS.escape(focusNext.current)}"]`)
        ?.focus()
      focusNext.current = null
    }
  }, [view.fields, list])
  return (id: string) => (event: KeyboardEvent) => {
    const at = view.fields.findIndex(({ field }) => field.id === id)
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by !== 0 && event.altKey) {
      event.preventDefault()
      if (at + by < 0 || at + by >= view.fields.length) return
      focusNext.current = id
      send({ type: 'field.move', id, to: at + by })
    }
    if (event.key === 'Delete') {
      event.preventDefault()
      focusNext.current = (view.fields[at + 1] ?? view.fields[at - 1])?.field.id ?? null
      send({ type: 'field.remove', id })
    }
  }
}
