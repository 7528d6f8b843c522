import {
  Button,
  Checkbox,
  DialogBody,
  DialogFooter,
  FormGroup,
  HTMLSelect,
  InputGroup,
  Radio,
  RadioGroup,
} from '@blueprintjs/core'
import { type Problem, problemText } from '@jiaowu/api/problem'
import type { ViewScope } from '@jiaowu/api/entity/list/view'
import type { ViewsEvent } from '@jiaowu/machines/views/context'
import type { ViewsView } from '@jiaowu/machines/views/view'
import { useId, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { Ask } from '../../ui/overlays/ask.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { CancelButton } from '../../ui/overlays/cancel-button.tsx'

interface Props {
  readonly views: ViewsView
  readonly send: (event: ViewsEvent) => void
}

/** Dialogs of the saved views: name and scope, and the confirmation of a deletion. */
export function ViewDialogs({ views, send }: Props) {
  const { t } = useText()
  const { pendingDeletion } = views
  return (
    <>
      <Naming views={views} send={send} />
      <Ask
        isOpen={views.step === 'confirmingDelete'}
        text={
          pendingDeletion === null
            ? ''
            : t(
                pendingDeletion.scope === 'mine'
                  ? 'view.confirmDelete'
                  : 'view.confirmDeleteShared',
                {
                  name: pendingDeletion.name,
                },
              )
        }
        confirmText={t('common.delete')}
        onAnswer={(yes) => send({ type: yes ? 'delete.confirm' : 'delete.cancel' })}
      />
    </>
  )
}

function Naming(props: Props) {
  const { draft } = props.views
  return draft === null ? null : <OpenNaming {...props} draft={draft} />
}

function OpenNaming({
  views,
  draft,
  send,
}: Props & { readonly draft: NonNullable<ViewsView['draft']> }) {
  const { t, locale } = useText()
  const id = useId()
  const { problem } = views
  const [first] = useState(draft)
  const fault = findFieldMessage(problem, 'name')
  const isSaving = views.step === 'saving'
  const cancel = () => send({ type: 'draft.cancel' })
  const title = draft.id === null ? t('view.saveAs') : t('view.edit')
  return (
    <Dialog
      isOpen
      title={title}
      onClose={cancel}
      className="jw-view-dialog"
      isCloseButtonShown={views.can.cancel}
      canEscapeKeyClose={views.can.cancel}
      canOutsideClickClose={false}
    >
      <Unsaved when={draft !== first && !isSaving} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send({ type: 'draft.submit' })
        }}
      >
        <DialogBody>
          {problem === null || fault !== null ? null : (
            <p className="jw-fault" role="alert">
              {problem.issues[0]?.msg ?? problemText(locale, problem)}
            </p>
          )}
          <FormGroup
            label={t('view.name')}
            labelFor={id}
            intent={fault === null ? 'none' : 'danger'}
            helperText={fault}
          >
            <InputGroup
              id={id}
              autoFocus
              fill
              disabled={isSaving}
              maxLength={views.nameLength}
              value={draft.name}
              onValueChange={(name) => send({ type: 'draft.change', draft: { name } })}
            />
          </FormGroup>
          <Scope views={views} send={send} />
          <Checkbox
            className="jw-view-dialog__default"
            label={t('view.isDefault')}
            checked={draft.isDefault}
            onChange={(event) =>
              send({ type: 'draft.change', draft: { isDefault: event.currentTarget.checked } })
            }
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <CancelButton disabled={!views.can.cancel} onClick={cancel} />
              <Button
                type="submit"
                intent="primary"
                text={t('common.save')}
                disabled={!views.can.submit}
                loading={isSaving}
              />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

/** The message of the field with this name; null when the problem is not about it. */
function findFieldMessage(problem: Problem | null, path: string): string | null {
  return problem?.issues.find((issue) => issue.path === path)?.msg ?? null
}

function Scope({ views, send }: Props) {
  const { t } = useText()
  const { draft, roles } = views
  if (draft === null || !views.mayShare) return null
  const change = (scope: ViewScope) => send({ type: 'draft.change', draft: { scope } })
  return (
    <>
      <RadioGroup
        label={t('view.scope')}
        inline
        selectedValue={draft.scope}
        onChange={(event) => change(event.currentTarget.value as ViewScope)}
      >
        <Radio value="mine" label={t('view.forMine')} />
        <Radio value="role" label={t('view.forRole')} />
        <Radio value="everyone" label={t('view.forEveryone')} />
      </RadioGroup>
      {draft.scope === 'role' ? (
        <FormGroup label={t('view.role')}>
          <HTMLSelect
            fill
            aria-label={t('view.role')}
            value={draft.roleId ?? ''}
            onChange={(event) =>
              send({
                type: 'draft.change',
                draft: {
                  roleId: event.currentTarget.value === '' ? null : event.currentTarget.value,
                },
              })
            }
            options={[
              { value: '', label: t('view.noRole') },
              ...roles.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </FormGroup>
      ) : null}
    </>
  )
}
