import { Button, HTMLSelect, SegmentedControl } from '@blueprintjs/core'
import { Plus, SmallCross } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import type { Where, WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import {
  type DraftGroup,
  draftOfWhere,
  filterFields,
  type GroupPath,
  type Joint,
  leafCount,
  operatorsFor,
  type WhereDraft,
  whereOfDraft,
  withGroup,
} from '@jiaowu/machines/entity-list/conditions/where-draft'
import {
  buildRelatedLeaf,
  findRelatedList,
  relatedColumn,
} from '@jiaowu/machines/entity-list/conditions/related-leaf'
import type { RelatedList } from '@jiaowu/api/contract/entity/search'
import { useApi } from '../../../app/api-context.ts'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { RelatedLeaf } from './related-leaf.tsx'
import { useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { Unsaved } from '../../../app/unsaved.ts'
import { Drawer } from '../../../ui/overlays/drawer.tsx'
import { LeafValue } from './leaf-value.tsx'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'

const noRelated: readonly RelatedList[] = []

interface Props {
  readonly config: EntityConfig
  readonly where: Where | null
  /** Loaded rows, which hold names of ids. */
  readonly rows: readonly Row[]
  /** Conditions of related rows, which have none on rows related to them. */
  readonly isInner?: boolean
  readonly onApply: (where: Where | null) => void
  readonly onClose: () => void
}

/** Conditions in groups, of which all or any hold. */
export function FilterDrawer({ config, where, rows, isInner = false, onApply, onClose }: Props) {
  const { t, locale } = useText()
  const fields = filterFields(config, locale)
  const related = useRelatedLists(isInner ? null : config.tag)
  const [first] = useState<WhereDraft>(() => {
    const known = draftOfWhere(where)
    return known.groups.length > 0 ? known : { joint: 'and', groups: [firstGroup(config)] }
  })
  const [draft, setDraft] = useState(first)
  const isFull = leafCount(draft.groups) >= limits.maxWhereLeaves || fields.length === 0
  const id = useId()
  const focus = useFocusAfter(draft, addGroupId(id))
  const add = (path: GroupPath, next: WhereDraft) => {
    focus(fieldId(id, path))
    setDraft(next)
  }
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={isInner ? `${t('filter.title')} · ${config.name}` : t('filter.title')}
      size=""
      className="jw-filter"
    >
      <Unsaved when={draft !== first} />
      <form
        className="jw-filter__form"
        onSubmit={(event) => {
          event.preventDefault()
          // The form of related rows is within this one in React, though not in the page.
          event.stopPropagation()
          onApply(whereOfDraft(draft))
          onClose()
        }}
      >
        <div className="jw-filter__body">
          {draft.groups.length > 1 ? (
            <Joints
              label={t('filter.groups')}
              joint={draft.joint}
              onChange={(joint) => setDraft({ ...draft, joint })}
            />
          ) : null}
          {draft.groups.map((group, at) => (
            <Group
              key={at}
              id={id}
              path={[at]}
              config={config}
              group={group}
              rows={rows}
              related={related}
              isFull={isFull}
              onChange={(path, change) => setDraft(withGroup(draft, path, change))}
              onFocus={focus}
            />
          ))}
          <Button
            variant="minimal"
            id={addGroupId(id)}
            icon={<Plus />}
            disabled={isFull}
            text={t('filter.addGroup')}
            onClick={() =>
              add([draft.groups.length, 0], {
                ...draft,
                groups: [...draft.groups, firstGroup(config)],
              })
            }
          />
        </div>
        <footer className="jw-filter__foot">
          <CancelButton onClick={onClose} />
          <Button type="submit" intent="primary" text={t('filter.apply')} />
        </footer>
      </form>
    </Drawer>
  )
}

/** The lists whose rows name a record; none are asked for without a tag. */
function useRelatedLists(of: string | null): readonly RelatedList[] {
  const { api } = useApi()
  const { data } = useResource({
    query: of,
    load: (tag: string, signal) => api.search.related({ params: { tag }, signal }),
  })
  return data ?? noRelated
}

const addGroupId = (id: string) => `${id}-add-group`
const leafId = (id: string, path: GroupPath) => `${id}-${path.join('-')}`
/** The choice of the field of a condition: the path of its group and its index. */
const fieldId = (id: string, path: GroupPath) => `${leafId(id, path)}-field`
const addLeafId = (id: string, path: GroupPath) => `${leafId(id, path)}-add`

/** Moves the focus once the draft is drawn: to what was added, or beside what was removed. */
function useFocusAfter(draft: WhereDraft, otherwise: string): (id: string) => void {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    const element = document.getElementById(wanted.current) ?? document.getElementById(otherwise)
    wanted.current = null
    element?.focus()
  }, [draft, otherwise])
  return (id) => {
    wanted.current = id
  }
}

interface GroupProps {
  /** The id of the drawer: lists in two tabs may each have one open. */
  readonly id: string
  readonly path: GroupPath
  readonly config: EntityConfig
  readonly group: DraftGroup
  readonly rows: readonly Row[]
  readonly related: readonly RelatedList[]
  readonly isFull: boolean
  readonly onChange: (path: GroupPath, change: (group: DraftGroup) => DraftGroup) => void
  /** The id of what gets the focus after the change. */
  readonly onFocus: (id: string) => void
}

function Group(props: GroupProps) {
  const { id, path, config, group, rows, related, isFull, onChange, onFocus } = props
  const { t } = useText()
  const change = (patch: Partial<DraftGroup>) => onChange(path, (now) => ({ ...now, ...patch }))
  const { leaves, groups } = group
  return (
    <fieldset className="jw-filter__group">
      <legend>{t('filter.group', { n: path.map((at) => at + 1).join('.') })}</legend>
      <Joints
        label={t('filter.conditions')}
        joint={group.joint}
        onChange={(joint) => change({ joint })}
      />
      {leaves.map((leaf, index) => (
        <Leaf
          key={index}
          id={leafId(id, [...path, index])}
          config={config}
          leaf={leaf}
          rows={rows}
          related={related}
          onChange={(next) =>
            change({ leaves: leaves.map((each, place) => (place === index ? next : each)) })
          }
          onRemove={() => {
            onFocus(addLeafId(id, path))
            change({ leaves: leaves.filter((_each, place) => place !== index) })
          }}
        />
      ))}
      {groups.map((inner, at) => (
        <Group
          key={at}
          id={id}
          path={[...path, at]}
          config={config}
          group={inner}
          rows={rows}
          related={related}
          isFull={isFull}
          onChange={onChange}
          onFocus={onFocus}
        />
      ))}
      <div className="jw-filter__adds">
        <Button
          variant="minimal"
          size="small"
          id={addLeafId(id, path)}
          icon={<Plus />}
          disabled={isFull}
          text={t('filter.addCondition')}
          onClick={() => {
            onFocus(fieldId(id, [...path, leaves.length]))
            change({ leaves: [...leaves, ...firstLeaf(config)] })
          }}
        />
        {path.length < limits.maxWhereDepth - 1 ? (
          <Button
            variant="minimal"
            size="small"
            icon={<Plus />}
            disabled={isFull}
            text={t('filter.addInner')}
            onClick={() => {
              onFocus(fieldId(id, [...path, groups.length, 0]))
              change({ groups: [...groups, firstGroup(config)] })
            }}
          />
        ) : null}
      </div>
    </fieldset>
  )
}

function firstGroup(config: EntityConfig): DraftGroup {
  return { joint: 'and', leaves: firstLeaf(config), groups: [] }
}

function firstLeaf(config: EntityConfig): readonly WhereLeaf[] {
  const [field] = filterFields(config)
  return field === undefined
    ? []
    : [{ column: field.attrName, op: operatorsFor(field)[0] ?? 'notEmpty' }]
}

function Joints({
  label,
  joint,
  onChange,
}: {
  readonly label: string
  readonly joint: Joint
  readonly onChange: (joint: Joint) => void
}) {
  const { t } = useText()
  return (
    <SegmentedControl
      size="small"
      aria-label={label}
      value={joint}
      options={[
        { label: t('filter.all'), value: 'and' },
        { label: t('filter.any'), value: 'or' },
      ]}
      onValueChange={(value) => onChange(value === 'or' ? 'or' : 'and')}
    />
  )
}

interface LeafProps {
  readonly id: string
  readonly config: EntityConfig
  readonly leaf: WhereLeaf
  readonly rows: readonly Row[]
  readonly related: readonly RelatedList[]
  readonly onChange: (leaf: WhereLeaf) => void
  readonly onRemove: () => void
}

function Leaf({ id, config, leaf, rows, related, onChange, onRemove }: LeafProps) {
  const { t, locale } = useText()
  const fields = filterFields(config, locale)
  const field = [...fields, ...config.fields].find(({ attrName }) => attrName === leaf.column)
  const operators = field === undefined ? [leaf.op] : operatorsFor(field)
  const list = findRelatedList(related, leaf.column)
  const choices = [
    ...fields.map(({ attrName, uiLabel }) => ({ value: attrName, label: uiLabel })),
    ...related.map((each) => ({
      value: relatedColumn(each),
      label: t('filter.relatedOf', { name: each.name, label: each.label }),
    })),
  ]
  return (
    <div className="jw-filter__leaf">
      <HTMLSelect
        id={`${id}-field`}
        aria-label={t('filter.field')}
        value={leaf.column}
        options={[
          ...(choices.some(({ value }) => value === leaf.column)
            ? []
            : [{ value: leaf.column, label: leaf.name ?? leaf.column }]),
          ...choices,
        ]}
        onChange={({ currentTarget: { value } }) => {
          const next = fields.find(({ attrName }) => attrName === value)
          if (next !== undefined)
            onChange({ column: value, op: operatorsFor(next)[0] ?? 'notEmpty' })
          const rowsOf = findRelatedList(related, value)
          if (rowsOf !== undefined)
            onChange(buildRelatedLeaf(rowsOf, 0, { where: null, config: null }, locale))
        }}
      />
      {list === undefined ? (
        <>
          <HTMLSelect
            aria-label={t('filter.operator')}
            value={leaf.op}
            options={[...new Set([leaf.op, ...operators])].map((op) => ({
              value: op,
              label: t(`filter.op.${op}`),
            }))}
            onChange={({ currentTarget: { value } }) => {
              const op = operators.find((each) => each === value)
              if (op !== undefined) onChange({ column: leaf.column, op })
            }}
          />
          <div className="jw-filter__value">
            {field === undefined ? null : (
              <LeafValue
                id={id}
                tag={config.tag}
                field={field}
                leaf={leaf}
                rows={rows}
                onChange={(value) => onChange({ ...leaf, value })}
              />
            )}
          </div>
        </>
      ) : (
        <RelatedLeaf list={list} leaf={leaf} Editor={FilterDrawer} onChange={onChange} />
      )}
      <Button
        variant="minimal"
        icon={<SmallCross />}
        aria-label={t('filter.remove')}
        onClick={onRemove}
      />
    </div>
  )
}
