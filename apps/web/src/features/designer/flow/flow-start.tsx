import { Button, Callout, FormGroup, HTMLSelect } from '@blueprintjs/core'
import type { Draft } from '@jiaowu/machines/designer/draft'
import { newStateField } from '@jiaowu/machines/designer/flow/start'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import { useId, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { TypedInput } from '../config/typed-input.tsx'
import type { FlowSources } from './use-flow-sources.ts'

const mostSteps = 6

/** Begins the flow of a definition: the field of its state, and the roles that approve one after the other. */
export function FlowStart({
  draft,
  sources,
  send,
}: {
  readonly draft: Draft
  readonly sources: FlowSources
  readonly send: (edit: DesignerEdit) => void
}) {
  const { t } = useText()
  const isFree = !draft.fields.some(({ attrName }) => attrName === newStateField)
  const [chosen, setField] = useState(newStateField)
  const [roles, setRoles] = useState<readonly string[]>([])
  const id = useId()
  const fields = sources.stateFields
  const field =
    (isFree && chosen === newStateField) || fields.some(({ value }) => value === chosen)
      ? chosen
      : (fields[0]?.value ?? '')
  return (
    <form
      className="jw-flow-start"
      onSubmit={(event) => {
        event.preventDefault()
        send({ type: 'flow.edit', change: { type: 'start', field, roles } })
      }}
    >
      <h3>{t('designer.flow.start')}</h3>
      <Callout icon={null}>{t('designer.flow.startHint')}</Callout>
      <FormGroup
        label={t('designer.flow.field')}
        labelFor={`${id}-field`}
        helperText={t('designer.flow.fieldHint')}
      >
        <HTMLSelect
          id={`${id}-field`}
          fill
          value={field}
          onChange={(event) => setField(event.currentTarget.value)}
        >
          {isFree ? (
            <option value={newStateField}>
              {t('designer.flow.newField', { name: t('design.flow.field') })}
            </option>
          ) : null}
          {fields.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </HTMLSelect>
      </FormGroup>
      <StepRoles roles={roles} sources={sources} onChange={setRoles} />
      <Button
        type="submit"
        intent="primary"
        disabled={field === ''}
        text={t('designer.flow.create')}
      />
    </form>
  )
}

/** The role of each step, and a free one for the next. */
function StepRoles({
  roles,
  sources,
  onChange,
}: {
  readonly roles: readonly string[]
  readonly sources: FlowSources
  readonly onChange: (roles: readonly string[]) => void
}) {
  const { t } = useText()
  const id = useId()
  return [...roles, ''].slice(0, mostSteps).map((role, at) => (
    <FormGroup
      // Steps have no name of their own.
      key={String(at)}
      label={t('designer.flow.step', { n: at + 1 })}
      labelFor={`${id}-${String(at)}`}
    >
      <RoleInput
        id={`${id}-${String(at)}`}
        label={t('designer.flow.step', { n: at + 1 })}
        role={role}
        none={t('designer.flow.noStep')}
        roles={sources.roles}
        onPick={(next) =>
          onChange(
            next === ''
              ? roles.slice(0, at)
              : [...roles.slice(0, at), next, ...roles.slice(at + 1)],
          )
        }
      />
    </FormGroup>
  ))
}

/** A role of the school; its code is typed where the user may not list them. */
export function RoleInput({
  id,
  label,
  role,
  roles,
  none,
  onPick,
}: {
  readonly id?: string
  readonly label: string
  readonly role: string
  readonly roles: FlowSources['roles']
  /** The text for no role. */
  readonly none?: string
  readonly onPick: (role: string) => void
}) {
  const { t } = useText()
  if (roles.length === 0)
    return (
      <TypedInput
        {...(id !== undefined && { id })}
        label={label}
        value={role}
        placeholder={t('designer.flow.roleTyped')}
        onCommit={(text) => onPick(text.trim())}
      />
    )
  return (
    <HTMLSelect
      {...(id !== undefined && { id })}
      fill
      aria-label={label}
      value={role}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      {none === undefined ? null : <option value="">{none}</option>}
      {role !== '' && !roles.some(({ value }) => value === role) ? (
        <option value={role}>{role}</option>
      ) : null}
      {roles.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </HTMLSelect>
  )
}
