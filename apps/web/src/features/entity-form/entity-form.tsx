import { Button } from '@blueprintjs/core'
import { ChevronDown } from '@blueprintjs/icons'
import {
  buttonPositions,
  editingOf,
  type EntityConfig,
  kindOf,
  problemOf,
  problemText,
  type Row,
  type Values,
} from '@jiaowu/api'
import {
  entityFormActors,
  entityFormMachine,
  type EntityFormPorts,
  type EntityFormView,
  entityFormView,
  type FormGroupView,
} from '@jiaowu/machines'
import { visible } from '@jiaowu/validation'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { HistoryButton } from '../administration/record-buttons.tsx'
import { useApp } from '../../shell/context/app-context.tsx'
import { logHidden } from '../../shell/context/log.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { Failed, Loading } from '../../ui/page-state.tsx'
import { Ask } from '../entity-list/ask.tsx'
import { Attachments } from './attachments.tsx'
import { FormField } from './form-field.tsx'
import { formPorts, personOf } from '../../ports/form-ports.ts'
import { runActions } from '../../ports/list-ports.ts'
import { StaleDialog } from './stale-dialog.tsx'

export interface EntityFormProps {
  readonly tag: string
  readonly id: string | null
  readonly viewOnly?: boolean
  readonly defaults?: Values
  /** In a page of its own, not in a drawer. */
  readonly asPage?: boolean
  readonly onSaved: (row: Row) => void
  readonly onLeft: () => void
  readonly onDirty?: (dirty: boolean) => void
  readonly onTitle?: (entityName: string) => void
  /** Present: the shown record may be edited from here. */
  readonly onEdit?: (() => void) | undefined
  /** Instead of the server: a preview's samples. They have no files. */
  readonly ports?: EntityFormPorts
  /** The surface asks to close it (Escape, a click outside): increments. */
  readonly closeAsked?: number
}

/** Add, edit or show one record (docs/spec/1-entity-console.md §4): the machine behaves, this draws. */
export function EntityForm(props: EntityFormProps) {
  const { tag, id, asPage = false, onDirty, onTitle, onEdit, closeAsked = 0 } = props
  const { t, locale } = useApp()
  const formId = useId()
  const box = useRef<string | null>(null)
  const actor = useFormActor(props, box)
  const view = useSelector(actor, entityFormView, (a, b) => JSON.stringify(a) === JSON.stringify(b))
  const rowId = useRowId(id, view.config)
  useEffect(() => {
    box.current = rowId
  }, [rowId])
  useFormEvents(actor, formId, props)
  useEffect(() => onDirty?.(view.dirty), [onDirty, view.dirty])
  useUnloadGuard(view.dirty)
  useEffect(() => {
    if (view.config !== null) onTitle?.(view.config.name)
  }, [onTitle, view.config])
  useEffect(() => {
    if (closeAsked > 0) actor.send({ type: 'form.leave' })
  }, [actor, closeAsked])
  const onChange = useCallback<Parameters<typeof FormField>[0]['onChange']>(
    (attrName, value) => actor.send({ type: 'field.change', attrName, value }),
    [actor],
  )
  const onBlur = useCallback(
    (attrName: string) => actor.send({ type: 'field.blur', attrName }),
    [actor],
  )
  const isReading = view.step === 'loading'
  const locked = useLock(view.step === 'saving' || isReading)
  const form = useSaveKey(useCallback(() => actor.send({ type: 'form.submit' }), [actor]))
  if (view.step === 'failed')
    return (
      <Failed
        text={view.problem === null ? '' : problemText(locale, view.problem)}
        onRetry={() => actor.send({ type: 'form.retry' })}
      />
    )
  if (view.config === null) return <Loading />
  return (
    <form
      ref={form}
      className={`jw-form${asPage ? ' is-page' : ''}`}
      noValidate
      aria-busy={isReading}
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'form.submit' })
      }}
      aria-label={view.config.name}
    >
      {isReading ? <div className="jw-busy-line" /> : null}
      <FormButtons
        view={view}
        disabled={locked}
        onChange={onChange}
        onRefresh={() => actor.send({ type: 'form.retry' })}
      />
      <div className="jw-form__scroll" inert={locked}>
        {view.problem === null || view.problem.kind === 'session' ? null : (
          <p className="jw-fault" role="alert">
            {problemText(locale, view.problem)}
          </p>
        )}
        {view.groups.map((group, index) => (
          <Group
            key={group.group?.attrName ?? `plain-${index}`}
            view={view}
            formId={formId}
            tag={tag}
            group={group}
            rowId={rowId}
            onToggle={(attrName) => actor.send({ type: 'group.toggle', attrName })}
            onChange={onChange}
            onBlur={onBlur}
          />
        ))}
        {view.mode === 'view' &&
        view.row !== null &&
        props.ports === undefined &&
        view.config.refuses?.includes('update') !== true ? (
          <Attachments tag={tag} rowId={view.row.id} permissions={view.config.permissions} />
        ) : null}
      </div>
      <div className="jw-form__foot">
        <Button
          text={t(view.mode === 'view' ? 'common.close' : 'common.cancel')}
          onClick={() => actor.send({ type: 'form.leave' })}
          disabled={view.step === 'saving'}
        />
        {view.mode === 'view' && view.row !== null && props.ports === undefined ? (
          <HistoryButton
            config={view.config}
            id={view.row.id}
            onRestored={() => actor.send({ type: 'form.retry' })}
          />
        ) : null}
        {view.mode === 'view' && onEdit !== undefined ? (
          <Button intent="primary" text={t('common.edit')} onClick={onEdit} />
        ) : null}
        {view.mode === 'view' ? null : (
          <Button
            type="submit"
            intent="primary"
            text={t('common.save')}
            title="Ctrl+S"
            loading={view.step === 'saving'}
          />
        )}
      </div>
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
    </form>
  )
}

function useFormActor(
  { tag, id, viewOnly = false, defaults = {}, ports: given }: EntityFormProps,
  rowId: { current: string | null },
) {
  const { api, user } = useApp()
  return useMachineActor(() => {
    const ports = given ?? formPorts(api)
    const saveRow: typeof ports.saveRow = (input, signal) =>
      ports.saveRow(
        input.id === null && rowId.current !== null
          ? { ...input, values: { ...input.values, id: rowId.current } }
          : input,
        signal,
      )
    return {
      machine: entityFormMachine.provide({ actors: entityFormActors({ ...ports, saveRow }) }),
      input: { tag, id, viewOnly, defaults, person: personOf(user) },
    }
  })
}

/** A new record with pictures is given its id when its form opens, so that they can be uploaded before it is saved. */
function useRowId(id: string | null, config: EntityConfig | null): string | null {
  const { api } = useApp()
  const [fresh, setFresh] = useState<string | null>(null)
  const needed =
    id === null &&
    (config?.fields.some(
      (field) => kindOf(field.uiType).family === 'media' && editingOf(field, 'add') === 'editable',
    ) ??
      false)
  useEffect(() => {
    if (!needed) return undefined
    const stop = new AbortController()
    api.session.generateId({ signal: stop.signal }).then(setFresh, () => {}) // without it, pictures wait until the record exists
    return () => stop.abort()
  }, [api, needed])
  return id ?? fresh
}

/** What the form says once: that it was saved or left, and which field to look at. */
function useFormEvents(
  actor: ReturnType<typeof useFormActor>,
  formId: string,
  { onSaved, onLeft }: EntityFormProps,
) {
  const { say, toast } = useApp()
  useEffect(() => {
    const reveal = (attrName: string) => {
      const group = entityFormView(actor.getSnapshot()).groups.find(
        ({ folded, fields }) => folded && fields.some(({ field }) => field.attrName === attrName),
      )
      if (group?.group !== undefined && group.group !== null)
        actor.send({ type: 'group.toggle', attrName: group.group.attrName })
      requestAnimationFrame(() => document.getElementById(`${formId}-${attrName}`)?.focus())
    }
    const watching = [
      actor.on('saved', ({ row, message }) => {
        toast('success', say(message))
        onSaved(row)
      }),
      actor.on('left', onLeft),
      actor.on('invalid', ({ attrName }) => {
        reveal(attrName)
      }),
    ]
    return () => {
      for (const each of watching) each.unsubscribe()
    }
  }, [actor, formId, onSaved, onLeft, say, toast])
}

/** The browser asks before a window with unsaved input is closed. */
function useUnloadGuard(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])
}

/** While it is saved or read again a form takes no input; then the keyboard goes on where it was. */
function useLock(locked: boolean) {
  const before = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (locked) before.current = document.activeElement as HTMLElement | null
    else before.current?.focus({ preventScroll: true })
  }, [locked])
  return locked
}

/** Ctrl+S saves the form in sight, wherever the focus is. */
function useSaveKey(save: () => void) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.key.toLowerCase() !== 's' ||
        form.current === null ||
        form.current.getClientRects().length === 0
      )
        return
      event.preventDefault()
      save()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [save])
  return form
}

/** Buttons of the entity above the form (position 3) or the details (position 4). */
function FormButtons({
  view,
  disabled,
  onChange,
  onRefresh,
}: {
  readonly view: EntityFormView
  readonly disabled: boolean
  readonly onChange: Parameters<typeof FormField>[0]['onChange']
  readonly onRefresh: () => void
}) {
  const app = useApp()
  const position =
    view.mode === 'view' ? buttonPositions.detailToolbar : buttonPositions.editToolbar
  const scope = { row: { ...view.row, ...view.values }, user: { ...app.user }, mode: view.mode }
  const shown = (view.config?.buttons ?? []).filter(
    (button) =>
      button.position === position && visible(button.positionExp, scope, logHidden(button.code)),
  )
  if (shown.length === 0) return null
  const press = (code: string) => {
    const button = shown.find((each) => each.code === code)
    if (button === undefined) return
    for (const action of Array.isArray(button.eventContent) ? button.eventContent : [])
      if (action.do === 'setField') onChange(action.attrName, action.value)
    runActions(app, view.config?.tag ?? '', button, view.row, new AbortController().signal).then(
      ({ refresh }) => {
        if (refresh) onRefresh()
      },
      (error: unknown) =>
        app.toast('danger', problemText(app.locale, problemOf(error)), { lasting: true }),
    )
  }
  return (
    <div className="jw-form__bar">
      {shown.map(({ code, name }) => (
        <Button
          key={code}
          size="small"
          disabled={disabled}
          text={name}
          onClick={() => press(code)}
        />
      ))}
    </div>
  )
}

function Group({
  view,
  formId,
  tag,
  group,
  rowId,
  onToggle,
  onChange,
  onBlur,
}: {
  readonly view: EntityFormView
  readonly formId: string
  readonly tag: string
  readonly group: FormGroupView
  readonly rowId: string | null
  readonly onToggle: (attrName: string) => void
} & Pick<Parameters<typeof FormField>[0], 'onChange' | 'onBlur'>) {
  return (
    <section className="jw-group">
      {group.group === null ? null : (
        <button
          type="button"
          className="jw-group__head"
          aria-expanded={!group.folded}
          onClick={() => onToggle(group.group?.attrName ?? '')}
        >
          {group.group.uiLabel}
          <ChevronDown className="jw-group__caret" size={14} />
        </button>
      )}
      {group.folded ? null : (
        <div className="jw-grid">
          {group.fields.map((field) => (
            <FormField
              key={field.field.attrName}
              tag={tag}
              formId={formId}
              view={field}
              showing={view.mode === 'view'}
              row={view.row}
              rowId={rowId}
              values={view.values}
              onChange={onChange}
              onBlur={onBlur}
            />
          ))}
        </div>
      )}
    </section>
  )
}
