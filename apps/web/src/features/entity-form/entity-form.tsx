import { problemText } from '@jiaowu/api/problem'
import type { Row, Values } from '@jiaowu/api/entity/values'
import type { EntityFormPorts } from '@jiaowu/machines/entity-form/ports'
import { type EntityFormView, entityFormView } from '@jiaowu/machines/entity-form/view'
import { useCallback, useEffect, useId } from 'react'
import { useView } from '../../app/use-view.ts'
import { useText } from '../../app/text-context.ts'
import { useRecentRecord } from '../../app/recent-records.ts'
import { useUnsaved } from '../../app/unsaved.ts'
import { Failed, Loading } from '../../ui/resource/page-state.tsx'
import { Ask } from '../../ui/overlays/ask.tsx'
import { Attachments } from './attachments/attachments.tsx'
import { FlowPanel } from './flow/flow-panel.tsx'
import type { ShownRecord } from './record/shown-record.ts'
import { FormButtons } from './form-buttons.tsx'
import type { FormFieldProps } from './form-field.tsx'
import { FormFoot } from './form-foot.tsx'
import { FormGroup } from './form-group.tsx'
import { StaleDialog } from './stale-dialog.tsx'
import {
  useFirstFocus,
  useFocusAfterLock,
  useFormActor,
  useFormEvents,
  useSaveKey,
} from './use-form.ts'

export interface EntityFormProps {
  readonly tag: string
  readonly id: string | null
  readonly viewOnly?: boolean
  readonly defaults?: Values
  /** In a page of its own, not in a drawer. */
  readonly asPage?: boolean
  /** The record that a new one copies. */
  readonly copyOf?: string | undefined
  readonly onSaved: (row: Row) => void
  /** A record was saved, and the form stays for another one. Absent: it is not offered. */
  readonly onNext?: ((row: Row) => void) | undefined
  /** Offered by the details when the user may add records. */
  readonly onCopy?: (() => void) | undefined
  readonly onLeft: () => void
  /** The name of the entity, and of the record where a title pattern gives one. */
  readonly onTitle?: (entityName: string, recordName: string | null) => void
  /** Gets the record whenever it is read; what is around the details then shows its history. */
  readonly onRecord?: (record: ShownRecord) => void
  /** Incremented when the record was changed beside the form, which reads it again. */
  readonly changes?: number
  /** Offered by the details when the user may edit the record. */
  readonly onEdit?: (() => void) | undefined
  /** Replace the server in the designer's preview; its samples have no files. */
  readonly ports?: EntityFormPorts
  /** Incremented when the surface asks to close the form: Escape, a click outside. */
  readonly closeAsked?: number
  /** False: who sees the record may not see its history, nor print it. */
  readonly hasHistory?: boolean
  /** Gets the values as they are typed. */
  readonly onValues?: (values: Values) => void
}
type FormActor = ReturnType<typeof useFormActor>

/** Adds, edits or shows one record (docs/spec/1-entity-console.md §4). */
export function EntityForm(props: EntityFormProps) {
  const { tag, onTitle, ports, closeAsked = 0, onValues } = props
  const { locale } = useText()
  const formId = useId()
  const actor = useFormActor(props)
  const view = useView(actor, entityFormView)
  useFormEvents(actor, formId, tag, props)
  useFocusAfterLock(isLocked(view))
  useFirstFocus(view.step === 'editing' && !view.dirty && ports === undefined, formId, view.groups)
  // A sample of the designer has nothing to save.
  useUnsaved(view.dirty && ports === undefined)
  const name = view.config?.name
  const { recordName } = view
  useRecentRecord(tag, ports === undefined && props.hasHistory !== false ? view.row : null)
  useEffect(() => {
    if (name !== undefined) onTitle?.(name, recordName)
  }, [onTitle, name, recordName])
  useShownRecord(actor, view, props)
  const { dirty, values } = view
  useEffect(() => {
    if (dirty) onValues?.(values)
  }, [dirty, values, onValues])
  useEffect(() => {
    if (closeAsked > 0) actor.send({ type: 'form.leave' })
  }, [actor, closeAsked])
  if (view.step === 'failed')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={() => actor.send({ type: 'form.retry' })}
      />
    )
  return view.config === null ? (
    <Loading />
  ) : (
    <LoadedForm
      {...props}
      tag={tag}
      actor={actor}
      view={view}
      name={view.config.name}
      formId={formId}
      rowId={view.rowId}
    />
  )
}

/** Tells the frame around the details what they show, and reads the record again after its changes. */
function useShownRecord(
  actor: FormActor,
  { config, row, recordName: name }: EntityFormView,
  { onRecord, changes = 0 }: EntityFormProps,
) {
  useEffect(() => {
    if (config !== null && row !== null) onRecord?.({ config, row, name })
  }, [onRecord, config, row, name])
  useEffect(() => {
    if (changes > 0) actor.send({ type: 'form.retry' })
  }, [actor, changes])
}

function isLocked({ step }: EntityFormView): boolean {
  return step === 'saving' || step === 'loading'
}

interface LoadedProps extends EntityFormProps {
  readonly actor: FormActor
  readonly view: EntityFormView
  readonly name: string
  readonly formId: string
  readonly rowId: string | null
}

function LoadedForm(props: LoadedProps) {
  const { tag, asPage = false, onEdit, ports, hasHistory = true, actor, view, name } = props
  const isReading = view.step === 'loading'
  const locked = isLocked(view)
  const { onNext, onCopy } = props
  const isSeries = onNext !== undefined
  const form = useSaveKey(
    useCallback(
      (next: boolean) => actor.send({ type: 'form.submit', next: next && isSeries }),
      [actor, isSeries],
    ),
  )
  const onChange = useCallback<FormFieldProps['onChange']>(
    (attrName, value) => actor.send({ type: 'field.change', attrName, value }),
    [actor],
  )
  const onRefresh = useCallback(() => actor.send({ type: 'form.retry' }), [actor])
  return (
    <form
      ref={form}
      className={`jw-form${asPage ? ' is-page' : ''}${view.mode === 'view' ? ' is-record' : ''}`}
      noValidate
      aria-busy={isReading}
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'form.submit' })
      }}
      aria-label={name}
    >
      {isReading ? <div className="jw-busy-line" /> : null}
      <FormButtons
        tag={tag}
        view={view}
        disabled={locked}
        onChange={onChange}
        onRefresh={onRefresh}
      />
      <FormBody {...props} locked={locked} onChange={onChange} />
      <FormFoot
        view={view}
        isSample={ports !== undefined || !hasHistory}
        isFramed={props.onRecord !== undefined}
        onLeave={() => actor.send({ type: 'form.leave' })}
        onRestored={onRefresh}
        onEdit={onEdit}
        onCopy={onCopy}
        onNext={isSeries ? () => actor.send({ type: 'form.submit', next: true }) : undefined}
      />
      <FormQuestions actor={actor} view={view} />
    </form>
  )
}

/** The fields, what is wrong with them as a whole, and in the details the attachments. */
function FormBody({
  tag,
  ports,
  actor,
  view,
  formId,
  rowId,
  locked,
  onChange,
  onNext,
}: LoadedProps & { readonly locked: boolean } & Pick<FormFieldProps, 'onChange'>) {
  const { locale, t } = useText()
  const onBlur = useCallback(
    (attrName: string) => actor.send({ type: 'field.blur', attrName }),
    [actor],
  )
  const onPin = useCallback(
    (attrName: string) => actor.send({ type: 'pin.toggle', attrName }),
    [actor],
  )
  const attaches =
    view.mode === 'view' && ports === undefined && view.config?.refuses?.includes('update') !== true
  return (
    <div className="jw-form__scroll" inert={locked}>
      {view.problem === null || view.problem.kind === 'session' ? null : (
        <p
          className="jw-fault"
          role="alert"
          data-lead={view.mode === 'edit' ? t('problem.updateFailed') : undefined}
        >
          {problemText(locale, view.problem)}
        </p>
      )}
      <CopyNote name={view.copyOf} />
      {view.groups.map((group, index) => (
        <FormGroup
          key={group.group?.attrName ?? `plain-${index}`}
          view={view}
          formId={formId}
          tag={tag}
          group={group}
          rowId={rowId}
          onToggle={(attrName) => actor.send({ type: 'group.toggle', attrName })}
          onChange={onChange}
          onBlur={onBlur}
          onPin={onNext === undefined ? undefined : onPin}
        />
      ))}
      {view.mode === 'view' &&
      ports === undefined &&
      view.config?.flow === true &&
      view.row !== null ? (
        <FlowPanel
          key={view.row.id}
          tag={tag}
          rowId={view.row.id}
          version={String(view.row.version ?? '')}
          fields={view.config.fields}
          onDecided={() => actor.send({ type: 'form.retry' })}
        />
      ) : null}
      {attaches && view.row !== null && view.config !== null ? (
        <Attachments tag={tag} rowId={view.row.id} permissions={view.config.permissions} />
      ) : null}
    </div>
  )
}

/** Says that the new record is a copy, and what it does not take over. */
function CopyNote({ name }: { readonly name: string | null }) {
  const { t } = useText()
  return name === null ? null : (
    <p className="jw-form__copy" role="note">
      {name === '' ? t('form.copy') : t('form.copyOf', { name })}
    </p>
  )
}

/** Questions the form asks: to leave unsaved input, and which side of a stale version wins. */
function FormQuestions({ actor, view }: Pick<LoadedProps, 'actor' | 'view'>) {
  const { t } = useText()
  return (
    <>
      <Ask
        isOpen={view.step === 'leaving'}
        text={t('form.leave')}
        onAnswer={(yes) => actor.send({ type: yes ? 'leave.confirm' : 'leave.cancel' })}
      />
      {view.stale === null || view.step !== 'stale' ? null : (
        <StaleDialog
          fields={view.stale}
          onChoose={(attrName, side) => actor.send({ type: 'stale.choose', attrName, side })}
          onSave={() => actor.send({ type: 'stale.save' })}
          onCancel={() => actor.send({ type: 'stale.cancel' })}
        />
      )}
    </>
  )
}
