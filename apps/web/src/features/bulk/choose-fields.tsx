import { Button, HTMLSelect } from '@blueprintjs/core'
import { ArrowRight, Cross } from '@blueprintjs/icons'
import { type EntityConfig, type Field, isDerived, isSettable } from '@jiaowu/api/entity/config'
import { problemText } from '@jiaowu/api/problem'
import { useEffect, useId, useRef } from 'react'
import { useText } from '../../app/text-context.ts'
import { findFieldSurface } from '../../fields/index.tsx'
import type { Bulk } from './use-bulk.ts'
import { CancelButton } from '../../ui/overlays/cancel-button.tsx'

/** Chooses the fields to change and their new values. Other fields keep their values. */
export function ChooseFields({
  config,
  bulk,
  onClose,
}: {
  readonly config: EntityConfig
  readonly bulk: Bulk
  readonly onClose: () => void
}) {
  const { t, locale } = useText()
  const { view, send } = bulk
  const fields = config.fields.filter(isSettable)
  const chosen = Object.keys(view.set).flatMap(
    (name) => fields.find(({ attrName }) => attrName === name) ?? [],
  )
  const left = fields.filter(({ attrName }) => !Object.hasOwn(view.set, attrName))
  const isElsewhere =
    view.problem !== null && !Object.keys(view.faults).some((name) => Object.hasOwn(view.set, name))
  return (
    <>
      <div className="jw-tr__body">
        {isElsewhere && view.problem !== null ? (
          <p className="jw-fault" role="alert">
            {problemText(locale, view.problem)}
          </p>
        ) : null}
        {chosen.length === 0 ? (
          <p className="jw-muted jw-bulk__hint">
            {t('bulk.noField')}
            {config.fields.some(isDerived) ? ` ${t('bulk.recompute')}` : ''}
          </p>
        ) : null}
        <ul className="jw-bulk__fields">
          {chosen.map((field) => (
            <SetField key={field.attrName} tag={config.tag} field={field} bulk={bulk} />
          ))}
        </ul>
        {left.length === 0 ? null : (
          <HTMLSelect
            className="jw-bulk__add"
            fill
            aria-label={t('bulk.addField')}
            value=""
            autoFocus={chosen.length === 0}
            disabled={view.step !== 'choosing'}
            onChange={({ currentTarget: { value } }) => {
              if (value !== '') send({ type: 'field.add', attrName: value })
            }}
          >
            <option value="">{t('bulk.addField')}…</option>
            {left.map(({ attrName, uiLabel }) => (
              <option key={attrName} value={attrName}>
                {uiLabel}
              </option>
            ))}
          </HTMLSelect>
        )}
      </div>
      <div className="jw-tr__foot">
        <CancelButton onClick={onClose} />
        <Button
          intent="primary"
          endIcon={<ArrowRight />}
          text={t('bulk.preview')}
          disabled={!view.can.preview}
          loading={view.step === 'sending'}
          onClick={() => send({ type: 'preview.start' })}
        />
      </div>
    </>
  )
}

/** A chosen field with the control that forms use for it. */
function SetField({
  tag,
  field,
  bulk: { view, send },
}: {
  readonly tag: string
  readonly field: Field
  readonly bulk: Bulk
}) {
  const { t, messageText } = useText()
  const id = `${useId()}-${field.attrName}`
  const row = useRef<HTMLLIElement>(null)
  // Focus the field that was just chosen.
  useEffect(() => {
    row.current
      ?.querySelector<HTMLElement>(
        'input, textarea, select, [tabindex="0"], .jw-bulk__control button',
      )
      ?.focus()
  }, [])
  const { Control } = findFieldSurface(field.uiType)
  const fault = view.faults[field.attrName] ?? null
  return (
    <li ref={row} className="jw-bulk__field">
      <div className="jw-bulk__head">
        <label htmlFor={id}>{field.uiLabel}</label>
        <small className="jw-muted">{field.valids.required === true ? '' : t('bulk.blank')}</small>
        <Button
          variant="minimal"
          size="small"
          icon={<Cross size={14} />}
          aria-label={t('bulk.removeField', { label: field.uiLabel })}
          title={t('bulk.removeField', { label: field.uiLabel })}
          onClick={() => send({ type: 'field.remove', attrName: field.attrName })}
        />
      </div>
      <div className="jw-bulk__control">
        <Control
          tag={tag}
          field={field}
          value={view.set[field.attrName] ?? null}
          id={id}
          disabled={false}
          invalid={fault !== null}
          describedBy={fault === null ? undefined : `${id}-fault`}
          values={view.set}
          rowId={null}
          onChange={(value) => send({ type: 'value.change', attrName: field.attrName, value })}
          onBlur={() => {}}
        />
      </div>
      {fault === null ? null : (
        <p className="jw-field__fault" id={`${id}-fault`} role="alert">
          {messageText(fault)}
        </p>
      )}
    </li>
  )
}
