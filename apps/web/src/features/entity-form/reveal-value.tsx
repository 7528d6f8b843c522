import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { type Field, looksMasked, type Problem, problemOf, type WireValue } from '@jiaowu/api'
import { useEffect, useId, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { ActionDialog } from '../../ui/action-dialog.tsx'

interface Props {
  readonly tag: string
  readonly rowId: string
  readonly field: Field
  /** What the form holds: the mask, or what was typed instead. */
  readonly value: WireValue
}
interface Shown {
  readonly value: string
  readonly seconds: number
}

const shortest = 4

/**
 * Beside the mask of personal data: asks for a reason and shows the value for some seconds
 * (docs/rules/security.md#d5). Shows nothing to those without the right.
 */
export function RevealValue({ tag, rowId, field, value }: Props) {
  const { t, can } = useApp()
  const [isAsking, setAsking] = useState(false)
  const [shown, setShown] = useState<Shown | null>(null)
  if (!can('pii:reveal') || !looksMasked(value)) return null
  if (shown !== null)
    return (
      <RevealedValue
        key={shown.value}
        shown={shown}
        onHide={() => setShown(null)}
        label={field.uiLabel}
      />
    )
  return (
    <>
      <Button
        size="small"
        variant="minimal"
        intent="primary"
        className="jw-reveal"
        text={t('pii.show')}
        aria-label={t('pii.showTitle', { name: field.uiLabel })}
        onClick={() => setAsking(true)}
      />
      {isAsking ? (
        <AskReason
          tag={tag}
          rowId={rowId}
          field={field}
          onClose={() => setAsking(false)}
          onShown={(answer) => {
            setAsking(false)
            setShown(answer)
          }}
        />
      ) : null}
    </>
  )
}

function RevealedValue({
  shown: { value, seconds },
  label,
  onHide,
}: {
  readonly shown: Shown
  readonly label: string
  readonly onHide: () => void
}) {
  const { t } = useApp()
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((n) => n - 1), 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (left <= 0) onHide()
  }, [left, onHide])
  return (
    <span className="jw-reveal is-shown">
      <strong aria-label={label}>{value}</strong>
      <small className="jw-muted">{t('pii.left', { n: left })}</small>
      <Button
        size="small"
        variant="minimal"
        intent="primary"
        text={t('pii.hide')}
        onClick={onHide}
      />
    </span>
  )
}

function AskReason({
  tag,
  rowId,
  field,
  onShown,
  onClose,
}: Omit<Props, 'value'> & {
  readonly onShown: (shown: Shown) => void
  readonly onClose: () => void
}) {
  const { t, api } = useApp()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isActing, setActing] = useState(false)
  const id = useId()
  const submit = async () => {
    setActing(true)
    setProblem(null)
    try {
      const body = { field: field.attrName, reason: reason.trim() }
      onShown(await api.entityData.reveal({ params: { tag, id: rowId }, body }))
    } catch (error) {
      setProblem(problemOf(error))
      setActing(false)
    }
  }
  return (
    <ActionDialog
      title={t('pii.showTitle', { name: field.uiLabel })}
      intent="primary"
      action={t('pii.show')}
      isActing={isActing}
      problem={problem}
      missing={() =>
        [...reason.trim()].length < shortest ? t('pii.reasonShort', { n: shortest }) : null
      }
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <FormGroup label={t('pii.reason')} labelFor={id} helperText={t('pii.reasonHint')}>
        <InputGroup
          id={id}
          autoFocus
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </FormGroup>
    </ActionDialog>
  )
}
