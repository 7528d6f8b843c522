import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import type { Field } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import { looksMasked } from '@jiaowu/api/pii'
import type { WireValue } from '@jiaowu/api/entity/values'
import { revealActors } from '@jiaowu/machines/reveal/ports'
import { revealApiPorts } from '@jiaowu/machines/reveal/api-ports'
import { revealMachine } from '@jiaowu/machines/reveal/machine'
import { type RevealView, revealView } from '@jiaowu/machines/reveal/view'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { useView } from '../../app/use-view.ts'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { ActionDialog } from '../../ui/overlays/action-dialog.tsx'

interface Props {
  readonly tag: string
  readonly rowId: string
  readonly field: Field
  /** The value in the form: the mask, or what was typed instead. */
  readonly value: WireValue
}
type RevealActor = ReturnType<typeof useReveal>
interface PartProps {
  readonly actor: RevealActor
  readonly view: RevealView
  readonly field: Field
}

/**
 * Beside the mask of personal data: asks for a reason and shows the value for some seconds
 * (docs/rules/security.md#d5). Shows nothing to those without the right.
 */
export function RevealValue({ tag, rowId, field, value }: Props) {
  const { can } = useApi()
  if (!can('pii:reveal') || !looksMasked(value)) return null
  return <Reveal key={`${tag} ${rowId}`} tag={tag} rowId={rowId} field={field} />
}

function Reveal({ tag, rowId, field }: Omit<Props, 'value'>) {
  const { t } = useText()
  const actor = useReveal(tag, rowId, field.attrName)
  const view = useView(actor, revealView)
  if (view.step === 'showing') return <RevealedValue actor={actor} view={view} field={field} />
  return (
    <>
      <Button
        size="small"
        variant="minimal"
        intent="primary"
        className="jw-reveal"
        text={t('pii.show')}
        aria-label={t('pii.showTitle', { name: field.uiLabel })}
        onClick={() => actor.send({ type: 'reveal.ask' })}
      />
      {view.step === 'hidden' ? null : <AskReason actor={actor} view={view} field={field} />}
    </>
  )
}

function useReveal(tag: string, rowId: string, field: string) {
  const { api } = useApi()
  return useMachineActor(() => ({
    machine: revealMachine.provide({ actors: revealActors(revealApiPorts(api)) }),
    input: { tag, rowId, field, now: Date.now },
  }))
}

function RevealedValue({ actor, view, field }: PartProps) {
  const { t } = useText()
  const time = useSelector(actor, (snapshot) => snapshot.children.revealTime)
  const left = useSelector(time, (snapshot) => snapshot?.context.secondsLeft ?? 0)
  return (
    <span className="jw-reveal is-shown">
      <strong aria-label={field.uiLabel}>{view.value}</strong>
      <small className="jw-muted">{t('pii.left', { n: left })}</small>
      <Button
        size="small"
        variant="minimal"
        intent="primary"
        text={t('pii.hide')}
        onClick={() => actor.send({ type: 'reveal.close' })}
      />
    </span>
  )
}

function AskReason({ actor, view, field }: PartProps) {
  const { t, messageText } = useText()
  const id = useId()
  return (
    <ActionDialog
      title={t('pii.showTitle', { name: field.uiLabel })}
      intent="primary"
      action={t('pii.show')}
      isActing={view.step === 'loading'}
      canSubmit={view.can.confirm || view.step === 'loading'}
      problem={view.problem}
      fault={view.fault === null ? null : messageText(view.fault)}
      onSubmit={() => actor.send({ type: 'reveal.confirm' })}
      onClose={() => actor.send({ type: 'reveal.close' })}
    >
      <FormGroup label={t('pii.reason')} labelFor={id} helperText={t('pii.reasonHint')}>
        <InputGroup
          id={id}
          autoFocus
          maxLength={limits.reasonLength}
          readOnly={!view.can.change}
          value={view.reason}
          onValueChange={(reason) => actor.send({ type: 'reason.change', reason })}
        />
      </FormGroup>
    </ActionDialog>
  )
}
