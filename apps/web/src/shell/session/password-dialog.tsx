import { Button, DialogBody, DialogFooter, FormGroup, InputGroup } from '@blueprintjs/core'
import { type Problem, problemText } from '@jiaowu/api/problem'
import { type SubmitEvent, useState } from 'react'
import { useAction } from '../../ui/resource/use-resource.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { CancelButton } from '../../ui/overlays/cancel-button.tsx'
import { UnsavedInput } from '../../ui/overlays/unsaved-input.tsx'

const blank = { oldPassword: '', newPassword: '', repeat: '' }
type Values = typeof blank
type Faults = Readonly<Partial<Record<keyof Values | 'all', string>>>

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  /**
   * An administrator set the password, or it is too old: it must be changed first, so the dialog cannot
   * be closed.
   */
  readonly isRequired?: boolean
  readonly onChanged: () => void
}

/** Changes the signed-in user's password; the server ends the user's other sessions. */
export function PasswordDialog({ isOpen, onClose, isRequired = false, onChanged }: Props) {
  const { t } = useText()
  const { user } = useApi()
  const form = usePasswordForm(() => {
    onClose()
    onChanged()
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      canEscapeKeyClose={!isRequired}
      canOutsideClickClose={!isRequired}
      isCloseButtonShown={!isRequired}
      title={t('shell.changePassword')}
      className="jw-dialog--narrow"
    >
      <form onSubmit={submit}>
        <DialogBody>
          {isRequired ? <p>{t('shell.passwordRequired')}</p> : null}
          {form.faults.all === undefined ? null : (
            <p className="jw-fault" role="alert">
              {form.faults.all}
            </p>
          )}
          <UnsavedInput>
            <PasswordField
              {...form.field('oldPassword')}
              label={t('shell.oldPassword')}
              autoComplete="current-password"
            />
            <PasswordField
              {...form.field('newPassword')}
              label={t('shell.newPassword')}
              autoComplete="new-password"
              hint={
                user?.passwordLength === undefined
                  ? undefined
                  : t('shell.passwordLength', { n: user.passwordLength })
              }
            />
            <PasswordField
              {...form.field('repeat')}
              label={t('shell.repeatPassword')}
              autoComplete="new-password"
            />
          </UnsavedInput>
        </DialogBody>
        <DialogFooter
          actions={
            <>
              {isRequired ? null : <CancelButton onClick={onClose} />}
              <Button
                type="submit"
                intent="primary"
                loading={form.isActing}
                text={t('common.ok')}
              />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

function usePasswordForm(onChanged: () => void) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const [values, setValues] = useState(blank)
  const [lacks, setLacks] = useState<Faults>({})
  const change = useAction(
    ({ oldPassword, newPassword }: Omit<Values, 'repeat'>) =>
      api.session.changePassword({ body: { oldPassword, newPassword } }),
    {
      onDone: () => {
        toast('success', t('shell.passwordChanged'))
        setValues(blank)
        onChanged()
      },
    },
  )
  const faults =
    Object.keys(lacks).length > 0 || change.problem === null
      ? lacks
      : toFieldFaults(change.problem, problemText(locale, change.problem))
  return {
    faults,
    isActing: change.isActing,
    submit: () => {
      const found = lacksIn(values, t('signIn.empty'), t('shell.passwordsDiffer'))
      setLacks(found)
      if (Object.keys(found).length === 0)
        change.start({ oldPassword: values.oldPassword, newPassword: values.newPassword })
    },
    field: (name: keyof Values) => ({
      name,
      value: values[name],
      fault: faults[name],
      onChange: (value: string) => setValues({ ...values, [name]: value }),
    }),
  }
}

function lacksIn(values: Values, empty: string, differ: string): Faults {
  const missing = Object.entries(values).filter(([, value]) => value === '')
  if (missing.length > 0) return Object.fromEntries(missing.map(([name]) => [name, empty]))
  return values.newPassword === values.repeat ? {} : { repeat: differ }
}

/** The server's messages by field; its general message when it names no field. */
function toFieldFaults({ issues }: Problem, text: string): Faults {
  return issues.length > 0
    ? Object.fromEntries(issues.map(({ path, msg }) => [path, msg]))
    : { all: text }
}

function PasswordField({
  name,
  label,
  autoComplete,
  value,
  fault,
  hint,
  onChange,
}: {
  readonly name: string
  readonly label: string
  readonly autoComplete: string
  readonly value: string
  readonly fault: string | undefined
  readonly hint?: string | undefined
  readonly onChange: (value: string) => void
}) {
  const intent = fault === undefined ? 'none' : 'danger'
  return (
    <FormGroup
      label={label}
      labelFor={`password-${name}`}
      helperText={fault ?? hint}
      intent={intent}
    >
      <InputGroup
        id={`password-${name}`}
        type="password"
        autoComplete={autoComplete}
        value={value}
        intent={intent}
        onValueChange={onChange}
      />
    </FormGroup>
  )
}
