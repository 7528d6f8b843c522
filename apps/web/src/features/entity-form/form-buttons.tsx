import { Button } from '@blueprintjs/core'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import { problemText } from '@jiaowu/api/problem'
import type { ButtonEffect } from '@jiaowu/machines/buttons/actions'
import { buttonsView, shownButtons } from '@jiaowu/machines/buttons/view'
import type { EntityFormView } from '@jiaowu/machines/entity-form/view'
import { useCallback } from 'react'
import { useButtons } from './use-buttons.ts'
import { useView } from '../../app/use-view.ts'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { logHidden } from '../../app/log.ts'
import { Ask } from '../../ui/overlays/ask.tsx'
import type { FormFieldProps } from './form-field.tsx'

interface FormButtonsProps {
  readonly tag: string
  readonly view: EntityFormView
  /** The form is saving or loading. */
  readonly disabled: boolean
  readonly onChange: FormFieldProps['onChange']
  readonly onRefresh: () => void
}

/**
 * The entity's buttons above a form (position 3) or the details (position 4), and why the last
 * press failed.
 */
export function FormButtons(props: FormButtonsProps) {
  const { view, disabled } = props
  const { t, locale, messageText } = useText()
  const { user, permissions } = useApi()
  const { tag, onChange, onRefresh } = props
  const actor = useButtons(
    tag,
    useCallback(
      (effect: ButtonEffect) => {
        if (effect.type === 'setField') onChange(effect.attrName, effect.value)
        if (effect.type === 'refresh') onRefresh()
      },
      [onChange, onRefresh],
    ),
  )
  const press = useView(actor, buttonsView)
  const position =
    view.mode === 'view' ? buttonPositions.detailToolbar : buttonPositions.editToolbar
  const scope = { row: { ...view.row, ...view.values }, user: { ...user }, mode: view.mode }
  const shown =
    view.config === null
      ? []
      : shownButtons(
          view.config,
          [position],
          scope,
          (code, error) => logHidden(code)(error),
          permissions,
        )
  return (
    <>
      {shown.length === 0 ? null : (
        <div className="jw-form__bar">
          {shown.map((button) => (
            <Button
              key={button.code}
              size="small"
              disabled={disabled || !press.can.press}
              loading={press.step === 'pressing' && press.pressed?.code === button.code}
              text={button.name}
              onClick={() => actor.send({ type: 'button.press', button, row: view.row })}
            />
          ))}
        </div>
      )}
      {press.problem === null ? null : (
        <div className="jw-fault jw-form__refused" role="alert">
          <span>{problemText(locale, press.problem)}</span>
          <Button
            size="small"
            text={t('common.retry')}
            onClick={() => actor.send({ type: 'press.retry' })}
          />
          <Button
            size="small"
            variant="minimal"
            text={t('common.close')}
            onClick={() => actor.send({ type: 'press.dismiss' })}
          />
        </div>
      )}
      <Ask
        isOpen={press.step === 'asking'}
        text={press.question === null ? '' : messageText(press.question)}
        {...(press.pressed === null ? {} : { confirmText: press.pressed.name })}
        onAnswer={(yes) => actor.send({ type: yes ? 'press.confirm' : 'press.cancel' })}
      />
    </>
  )
}
