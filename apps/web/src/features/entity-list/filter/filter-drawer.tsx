import { Button, HTMLSelect, SegmentedControl } from '@blueprintjs/core'
import { Plus, SmallCross } from '@blueprintjs/icons'
import { type EntityConfig, limits, type Row, type Where, type WhereLeaf } from '@jiaowu/api'
import {
  type DraftGroup,
  draftOfWhere,
  filterFields,
  type Joint,
  operatorsFor,
  type WhereDraft,
  whereOfDraft,
  withLeaves,
} from '@jiaowu/machines'
import { useState } from 'react'
import { useApp } from '../../../shell/context/app-context.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { LeafValue } from './leaf-value.tsx'

interface Props {
  readonly config: EntityConfig
  readonly where: Where | null
  /** Loaded rows, which hold names of ids. */
  readonly rows: readonly Row[]
  readonly onApply: (where: Where | null) => void
  readonly onClose: () => void
}

/** Conditions in groups, of which all or any hold. */
export function FilterDrawer({ config, where, rows, onApply, onClose }: Props) {
  const { t } = useApp()
  const fields = filterFields(config)
  const [draft, setDraft] = useState<WhereDraft>(() => {
    const known = draftOfWhere(where)
    return known.groups.length > 0
      ? known
      : { joint: 'and', groups: [{ joint: 'and', leaves: firstLeaf(config) }] }
  })
  const count = draft.groups.reduce((sum, { leaves }) => sum + leaves.length, 0)
  const isFull = count >= limits.maxWhereLeaves || fields.length === 0
  const changeGroup = (at: number, group: DraftGroup) =>
    setDraft({
      ...draft,
      groups: draft.groups.map((each, index) => (index === at ? group : each)),
    })
  return (
    <Drawer isOpen onClose={onClose} title={t('filter.title')} size="" className="jw-filter">
      <form
        className="jw-filter__form"
        onSubmit={(event) => {
          event.preventDefault()
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
              at={at}
              config={config}
              group={group}
              rows={rows}
              isFull={isFull}
              onJoint={(joint) => changeGroup(at, { ...group, joint })}
              onLeaves={(change) => setDraft(withLeaves(draft, at, change))}
            />
          ))}
          <Button
            variant="minimal"
            icon={<Plus />}
            disabled={isFull}
            text={t('filter.addGroup')}
            onClick={() =>
              setDraft({
                ...draft,
                groups: [...draft.groups, { joint: 'and', leaves: firstLeaf(config) }],
              })
            }
          />
        </div>
        <footer className="jw-filter__foot">
          <Button text={t('common.cancel')} onClick={onClose} />
          <Button type="submit" intent="primary" text={t('filter.apply')} />
        </footer>
      </form>
    </Drawer>
  )
}

interface GroupProps {
  readonly at: number
  readonly config: EntityConfig
  readonly group: DraftGroup
  readonly rows: readonly Row[]
  readonly isFull: boolean
  readonly onJoint: (joint: Joint) => void
  readonly onLeaves: (change: (leaves: readonly WhereLeaf[]) => readonly WhereLeaf[]) => void
}

function Group({ at, config, group, rows, isFull, onJoint, onLeaves }: GroupProps) {
  const { t } = useApp()
  return (
    <fieldset className="jw-filter__group">
      <legend>{t('filter.group', { n: at + 1 })}</legend>
      <Joints label={t('filter.conditions')} joint={group.joint} onChange={onJoint} />
      {group.leaves.map((leaf, index) => (
        <Leaf
          key={index}
          id={`filter-${at}-${index}`}
          config={config}
          leaf={leaf}
          rows={rows}
          onChange={(next) =>
            onLeaves((leaves) => leaves.map((each, place) => (place === index ? next : each)))
          }
          onRemove={() => onLeaves((leaves) => leaves.filter((_each, place) => place !== index))}
        />
      ))}
      <Button
        variant="minimal"
        size="small"
        icon={<Plus />}
        disabled={isFull}
        text={t('filter.addCondition')}
        onClick={() => onLeaves((leaves) => [...leaves, ...firstLeaf(config)])}
      />
    </fieldset>
  )
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
  const { t } = useApp()
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
  readonly onChange: (leaf: WhereLeaf) => void
  readonly onRemove: () => void
}

function Leaf({ id, config, leaf, rows, onChange, onRemove }: LeafProps) {
  const { t } = useApp()
  const fields = filterFields(config)
  const field = config.fields.find(({ attrName }) => attrName === leaf.column)
  const operators = field === undefined ? [leaf.op] : operatorsFor(field)
  return (
    <div className="jw-filter__leaf">
      <HTMLSelect
        aria-label={t('filter.field')}
        value={leaf.column}
        options={[
          ...(fields.some(({ attrName }) => attrName === leaf.column) ? [] : [leaf.column]),
          ...fields.map(({ attrName, uiLabel }) => ({ value: attrName, label: uiLabel })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const next = fields.find(({ attrName }) => attrName === value)
          if (next !== undefined)
            onChange({ column: value, op: operatorsFor(next)[0] ?? 'notEmpty' })
        }}
      />
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
      <Button
        variant="minimal"
        icon={<SmallCross />}
        aria-label={t('filter.remove')}
        onClick={onRemove}
      />
    </div>
  )
}
