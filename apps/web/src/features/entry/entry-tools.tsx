import { Button, FormGroup, InputGroup, ProgressBar } from '@blueprintjs/core'
import { Lock, Unlock } from '@blueprintjs/icons'
import type { EntryState } from '@jiaowu/api/contract/entity/entry'
import { limits } from '@jiaowu/api/limits'
import { problemText } from '@jiaowu/api/problem'
import type { EntryEvent } from '@jiaowu/machines/entry-sheet/machine'
import type { EntryView } from '@jiaowu/machines/entry-sheet/view'
import { useText } from '../../app/text-context.ts'
import { type ReactNode, useId } from 'react'
import { ActionDialog } from '../../ui/overlays/action-dialog.tsx'

type Refusals = NonNullable<EntryView['refused']>

interface Props {
  readonly view: EntryView
  readonly send: (event: EntryEvent) => void
}

/** How far a sheet is, and its submission or unlocking. */
export function EntryTools({ view, send, children }: Props & { readonly children: ReactNode }) {
  const { t, locale } = useText()
  const { state, step, problem, refused } = view
  const isAsking = [
    'asking',
    'submitting',
    'explaining',
    'unlocking',
    'adding',
    'growing',
  ].includes(step)
  return (
    <div className="jw-entry__tools">
      {state === null ? null : <Progress state={state} />}
      {children}
      {view.can.unlock ? (
        <Button
          icon={<Unlock />}
          text={t('entry.unlock')}
          onClick={() => send({ type: 'unlock.ask' })}
        />
      ) : null}
      {state === null || state.locked !== null || !state.can.submit ? null : (
        <Button
          intent="primary"
          icon={<Lock />}
          text={t('entry.submit')}
          title={view.isDirty ? t('entry.unsaved') : undefined}
          disabled={!view.can.submit}
          onClick={() => send({ type: 'submit.ask' })}
        />
      )}
      {refused === null ? null : <Refused refused={refused} />}
      {problem === null || isAsking ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
      {step === 'asking' || step === 'submitting' ? <Submit view={view} send={send} /> : null}
      {step === 'explaining' || step === 'unlocking' ? <Explain view={view} send={send} /> : null}
    </div>
  )
}

/** Records of the last addition that got no row, and why. */
function Refused({ refused: { refused, refusals } }: { readonly refused: Refusals }) {
  const { t } = useText()
  return (
    <div className="jw-fault jw-entry__refused" role="alert">
      {t('entry.refused', { n: refusals })}
      <ul>
        {refused.map(({ name, msg }) => (
          <li key={name}>
            {name}: {msg}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Progress({ state: { total, entered, locked } }: { readonly state: EntryState }) {
  const { t } = useText()
  if (total === 0) return <p className="jw-muted">{t('entry.none')}</p>
  return (
    <div className="jw-entry__progress">
      <output>{t('entry.progress', { entered, total })}</output>
      {/* The same as the words beside it. */}
      <span className="jw-entry__bar" aria-hidden>
        <ProgressBar
          animate={false}
          stripes={false}
          value={entered / total}
          intent={entered === total ? 'success' : 'primary'}
        />
      </span>
      {locked === null ? null : (
        <span className="jw-entry__locked">
          <Lock size={14} /> {t('entry.lockedBy', { name: locked.name, at: locked.at })}
        </span>
      )}
    </div>
  )
}

function Submit({ view, send }: Props) {
  const { t } = useText()
  const { total = 0, entered = 0 } = view.state ?? {}
  return (
    <ActionDialog
      title={t('entry.submitTitle')}
      intent="primary"
      action={t('entry.submit')}
      isActing={view.step === 'submitting'}
      canSubmit={view.can.confirmSubmit || view.step === 'submitting'}
      problem={view.problem}
      fault={null}
      onSubmit={() => send({ type: 'submit.confirm' })}
      onClose={() => send({ type: 'ask.cancel' })}
    >
      <p>
        {entered === total
          ? t('entry.submitAll', { total })
          : t('entry.submitPart', { n: total - entered, entered, total })}
      </p>
      <EntryFigures figures={view.state?.figures ?? null} />
    </ActionDialog>
  )
}

/** Figures of the values entered: a mark far from the class shows before the sheet is locked. */
function EntryFigures({ figures }: Pick<EntryState, 'figures'>) {
  const { t } = useText()
  if (figures === null) return null
  const { average, lowest, highest, fails } = figures
  return (
    <p>
      {t('entry.figures', { average, lowest, highest })}
      {fails === null ? null : (
        <>
          {' · '}
          <span className={fails === 0 ? undefined : 'jw-entry__fails'}>
            {t('entry.fails', { n: fails })}
          </span>
        </>
      )}
    </p>
  )
}

function Explain({ view, send }: Props) {
  const { t, messageText } = useText()
  const id = useId()
  return (
    <ActionDialog
      title={t('entry.unlockTitle')}
      intent="primary"
      action={t('entry.unlock')}
      isActing={view.step === 'unlocking'}
      canSubmit={view.can.confirmUnlock || view.step === 'unlocking'}
      problem={view.problem}
      fault={view.fault === null ? null : messageText(view.fault)}
      onSubmit={() => send({ type: 'unlock.confirm' })}
      onClose={() => send({ type: 'ask.cancel' })}
    >
      <FormGroup label={t('entry.reason')} labelFor={id} helperText={t('entry.reasonHint')}>
        <InputGroup
          id={id}
          autoFocus
          maxLength={limits.reasonLength}
          readOnly={view.step === 'unlocking'}
          value={view.reason}
          onValueChange={(reason) => send({ type: 'reason.change', reason })}
        />
      </FormGroup>
    </ActionDialog>
  )
}
