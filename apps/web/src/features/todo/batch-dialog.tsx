import { FormGroup, TextArea } from '@blueprintjs/core'
import { messageText } from '@jiaowu/api/texts/index'
import { useId } from 'react'
import { useText } from '../../app/text-context.ts'
import { ActionDialog } from '../../ui/overlays/action-dialog.tsx'
import { type BatchProps, Names, Told } from './told-dialog.tsx'
import type { TodoProps } from './use-todo-list.ts'

/** One decision on several cases: who they are, what it would do to each, and what it did. */
export function BatchDialog({ view, send }: TodoProps) {
  const { batch } = view
  if (batch === null) return null
  return view.step === 'told' ? (
    <Told view={view} send={send} batch={batch} />
  ) : (
    <Asking view={view} send={send} batch={batch} />
  )
}

function Asking({ view, send, batch }: BatchProps) {
  const { t, locale } = useText()
  const id = useId()
  const { step, fault, problem } = view
  const isChecked = step === 'checked' || step === 'sending'
  const { name, note } = batch.offer
  return (
    <ActionDialog
      title={name}
      intent="primary"
      action={isChecked ? t('todo.send', { name, n: batch.ok }) : t('todo.check')}
      isActing={step === 'checking' || step === 'sending'}
      canSubmit={!isChecked || view.can.send || step === 'sending'}
      problem={problem}
      fault={fault === null ? null : messageText(locale, fault)}
      onSubmit={() => send({ type: isChecked ? 'batch.send' : 'batch.check' })}
      onClose={() => send({ type: 'batch.close' })}
    >
      {note === null ? null : (
        <FormGroup label={t('flowPanel.note')} labelFor={id}>
          <TextArea
            id={id}
            fill
            autoFocus
            maxLength={2000}
            value={batch.note}
            readOnly={!view.can.note}
            onChange={({ currentTarget: { value } }) => send({ type: 'note.change', note: value })}
          />
        </FormGroup>
      )}
      <p className="jw-muted">
        {isChecked
          ? t('todo.checked', { ok: batch.ok, refused: batch.rows.length - batch.ok })
          : t('todo.checkHint')}
      </p>
      <Names batch={batch} result="todo.would" />
    </ActionDialog>
  )
}
