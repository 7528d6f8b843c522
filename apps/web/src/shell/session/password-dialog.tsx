import { Button, Dialog, DialogBody, DialogFooter, FormGroup, InputGroup } from '@blueprintjs/core'
import { problemOf, problemText } from '@jiaowu/api'
import { type SubmitEvent, useState } from 'react'
import { useApp } from '../context/app-context.tsx'

type Faults = Readonly<Partial<Record<'oldPassword' | 'newPassword' | 'repeat' | 'all', string>>>

/** Changes the signed-in person's password; other sessions of theirs end. */
interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The password was given by somebody else: nothing goes on before it is changed, so the dialog has no way out but that. */
  readonly isRequired?: boolean
  readonly onChanged: () => void
}

export function PasswordDialog({ isOpen, onClose, isRequired = false, onChanged }: Props) {
  const { api, t, toast, locale } = useApp()
  const [values, setValues] = useState({ oldPassword: '', newPassword: '', repeat: '' })
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const empty = Object.entries(values)
      .filter(([, value]) => value === '')
      .map(([name]) => [name, t('signIn.empty')])
    if (empty.length > 0) {
      setFaults(Object.fromEntries(empty) as Faults)
      return
    }
    if (values.newPassword !== values.repeat) {
      setFaults({ repeat: t('shell.passwordsDiffer') })
      return
    }
    setBusy(true)
    try {
      await api.session.changePassword({
        body: { oldPassword: values.oldPassword, newPassword: values.newPassword },
      })
      toast('success', t('shell.passwordChanged'))
      setValues({ oldPassword: '', newPassword: '', repeat: '' })
      setFaults({})
      onClose()
      onChanged()
    } catch (error) {
      const problem = problemOf(error)
      setFaults(
        problem.issues.length > 0
          ? (Object.fromEntries(problem.issues.map(({ path, msg }) => [path, msg])) as Faults)
          : { all: problemText(locale, problem) },
      )
    } finally {
      setBusy(false)
    }
  }
  const input = (name: keyof typeof values, label: string, autoComplete: string) => (
    <FormGroup
      label={label}
      labelFor={`password-${name}`}
      helperText={faults[name]}
      intent={faults[name] === undefined ? 'none' : 'danger'}
    >
      <InputGroup
        id={`password-${name}`}
        type="password"
        autoComplete={autoComplete}
        value={values[name]}
        intent={faults[name] === undefined ? 'none' : 'danger'}
        onValueChange={(value) => setValues({ ...values, [name]: value })}
      />
    </FormGroup>
  )
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
      <form
        onSubmit={(event) => {
          void submit(event)
        }}
      >
        <DialogBody>
          {isRequired ? <p>{t('shell.passwordRequired')}</p> : null}
          {faults.all === undefined ? null : (
            <p className="jw-fault" role="alert">
              {faults.all}
            </p>
          )}
          {input('oldPassword', t('shell.oldPassword'), 'current-password')}
          {input('newPassword', t('shell.newPassword'), 'new-password')}
          {input('repeat', t('shell.repeatPassword'), 'new-password')}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              {isRequired ? null : <Button text={t('common.cancel')} onClick={onClose} />}
              <Button type="submit" intent="primary" loading={busy} text={t('common.ok')} />
            </>
          }
        />
      </form>
    </Dialog>
  )
}
