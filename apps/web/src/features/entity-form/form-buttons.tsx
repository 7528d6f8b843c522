import { Button } from '@blueprintjs/core'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import { problemText } from '@jiaowu/api/problem'
import { buttonsActors } from '@jiaowu/machines/buttons/ports'
import { buttonsMachine } from '@jiaowu/machines/buttons/machine'
import { buttonsView, shownButtons } from '@jiaowu/machines/buttons/view'
import type { EntityFormView } from '@jiaowu/machines/entity-form/view'
import { useEffect } from 'react'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { useView } from '../../app/use-view.ts'
import { buttonsPorts, showEffect } from '../../ports/buttons-ports.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useTabs } from '../../app/tab-context.ts'
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
  const actor = useButtonsActor(props)
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

/** Stops with the component: closing the form or the details aborts a call under way. */
function useButtonsActor({ tag, onChange, onRefresh }: FormButtonsProps) {
  const { api } = useApi()
  const { toast } = useNotice()
  const { openTab, openDrawer } = useTabs()
  const actor = useMachineActor(() => ({
    machine: buttonsMachine.provide({ actors: buttonsActors(buttonsPorts(api)) }),
    input: { tag },
  }))
  useEffect(() => {
    const watching = actor.on('*', (effect) => {
      if (effect.type === 'setField') onChange(effect.attrName, effect.value)
      else if (effect.type === 'refresh') onRefresh()
      else showEffect({ toast, openTab, openDrawer }, effect)
    })
    return () => watching.unsubscribe()
  }, [actor, onChange, onRefresh, openDrawer, openTab, toast])
  return actor
}
