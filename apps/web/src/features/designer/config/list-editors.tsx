import { Button } from '@blueprintjs/core'
import { Add, ArrowDown, ArrowUp, Cross } from '@blueprintjs/icons'
import type { Cascade, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { Draft } from '@jiaowu/machines/designer/draft'
import { useText } from '../../../app/text-context.ts'
import { ChoiceSelect } from './choice-select.tsx'
import { fieldChoices } from './entity-sections.ts'
import { type Choice, withKey } from './rows.ts'
import { TypedInput } from './typed-input.tsx'

type Send = (edit: DesignerEdit) => void

/**
 * Editor of the parent fields that narrow the choices of a field
 * (docs/spec/1-entity-console.md §4).
 */
export function CascadesEditor({
  draft,
  field,
  attributes,
  send,
}: {
  readonly draft: Draft
  readonly field: FieldDefinition
  readonly attributes: readonly Choice[]
  readonly send: Send
}) {
  const { t } = useText()
  const cascades = field.options.cascades ?? []
  const parents = fieldChoices({
    ...draft,
    fields: draft.fields.filter(
      ({ id, uiType }) => id !== field.id && findKind(uiType).family === 'choice',
    ),
  })
  const put = (next: readonly Cascade[]) =>
    send({
      type: 'field.set',
      id: field.id,
      patch: {
        options: withKey(field.options, 'cascades', next.length === 0 ? undefined : [...next]),
      },
    })
  const change = (index: number, patch: Partial<Cascade>) =>
    put(cascades.map((cascade, at) => (at === index ? { ...cascade, ...patch } : cascade)))
  const [first] = parents
  return (
    <div className="jw-cfg__list" data-path="options.cascades">
      {cascades.map((cascade, index) => (
        <div key={`${cascade.attrName}-${index}`} className="jw-cfg__item is-two">
          <ChoiceSelect
            label={t('designer.cascade.parent')}
            value={cascade.attrName}
            items={parents}
            onPick={(attrName) => change(index, { attrName })}
          />
          {attributes.length === 0 ? (
            <TypedInput
              mono
              label={t('designer.cascade.filter')}
              value={cascade.filterAttr}
              onCommit={(filterAttr) => change(index, { filterAttr: filterAttr.trim() })}
            />
          ) : (
            <ChoiceSelect
              label={t('designer.cascade.filter')}
              value={cascade.filterAttr}
              items={attributes}
              onPick={(filterAttr) => change(index, { filterAttr })}
            />
          )}
          <Remove onClick={() => put(cascades.filter((_each, at) => at !== index))} />
        </div>
      ))}
      <Button
        size="small"
        icon={<Add />}
        disabled={first === undefined}
        text={t('designer.cascade.add')}
        onClick={() => {
          if (first !== undefined)
            put([
              ...cascades,
              {
                attrName: first.value,
                filterAttr:
                  attributes.find(({ value }) => value === first.value)?.value ??
                  attributes[0]?.value ??
                  first.value,
              },
            ])
        }}
      />
    </div>
  )
}

function Remove({ onClick }: { readonly onClick: () => void }) {
  const { t } = useText()
  return (
    <Button
      variant="minimal"
      size="small"
      icon={<Cross size={14} />}
      aria-label={t('designer.remove')}
      title={t('designer.remove')}
      onClick={onClick}
    />
  )
}

/** Editor of the initial sort order of the list. */
export function SortsEditor({ draft, send }: { readonly draft: Draft; readonly send: Send }) {
  const { t } = useText()
  const { sorts } = draft.options
  const fields = fieldChoices(draft)
  const put = (next: Draft['options']['sorts']) =>
    send({ type: 'option.set', patch: { sorts: next } })
  const free = fields.find(({ value }) => !sorts.some(({ column }) => column === value))
  return (
    <div className="jw-cfg__list" data-path="options.sorts">
      {sorts.map(({ column, asc }, index) => (
        <div key={`${column}-${index}`} className="jw-cfg__item is-sort">
          <ChoiceSelect
            label={t('designer.section.sorts')}
            value={column}
            items={fields}
            onPick={(next) =>
              put(sorts.map((sort, at) => (at === index ? { ...sort, column: next } : sort)))
            }
          />
          <Button
            size="small"
            icon={asc ? <ArrowUp size={14} /> : <ArrowDown size={14} />}
            text={t(asc ? 'designer.sort.asc' : 'designer.sort.desc')}
            onClick={() =>
              put(sorts.map((sort, at) => (at === index ? { ...sort, asc: !asc } : sort)))
            }
          />
          <Remove onClick={() => put(sorts.filter((_sort, at) => at !== index))} />
        </div>
      ))}
      <Button
        size="small"
        icon={<Add />}
        disabled={free === undefined}
        text={t('designer.sort.add')}
        onClick={() => {
          if (free !== undefined) put([...sorts, { column: free.value, asc: true }])
        }}
      />
    </div>
  )
}
