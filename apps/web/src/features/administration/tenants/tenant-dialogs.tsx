import { Button, DialogBody, DialogFooter, FormGroup, InputGroup } from '@blueprintjs/core'
import type { Problem } from '@jiaowu/api/problem'
import { tenantCodePattern } from '@jiaowu/api/contract/administration/tenant'
import { useId, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { ActionDialog } from '../../../ui/overlays/action-dialog.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

export interface Secret {
  readonly tenant: string
  readonly account: string
  readonly password: string
}

export function CreateTenantDialog({
  isActing,
  problem,
  onSubmit,
  onClose,
}: {
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly onSubmit: (values: { readonly code: string; readonly name: string }) => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const id = useId()
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  return (
    <ActionDialog
      title={t('tenant.add')}
      intent="primary"
      action={t('common.add')}
      isActing={isActing}
      problem={problem}
      missing={() =>
        !tenantCodePattern.test(code.trim()) || name.trim() === '' ? t('tenant.needed') : null
      }
      onSubmit={() => onSubmit({ code: code.trim(), name: name.trim() })}
      onClose={onClose}
    >
      <FormGroup label={t('tenant.code')} labelFor={`${id}-code`} helperText={t('tenant.codeHint')}>
        <InputGroup
          id={`${id}-code`}
          autoFocus
          inputMode="numeric"
          maxLength={9}
          value={code}
          onValueChange={setCode}
        />
      </FormGroup>
      <FormGroup label={t('tenant.name')} labelFor={`${id}-name`}>
        <InputGroup id={`${id}-name`} maxLength={100} value={name} onValueChange={setName} />
      </FormGroup>
    </ActionDialog>
  )
}

/** The one-time password of a tenant's administrator; it cannot be shown again. */
export function SecretDialog({
  secret,
  onClose,
}: {
  readonly secret: Secret
  readonly onClose: () => void
}) {
  const { t } = useText()
  return (
    <Dialog
      isOpen
      title={t('account.oneTime')}
      onClose={onClose}
      className="jw-calm jw-dialog--narrow"
      canOutsideClickClose={false}
    >
      <DialogBody>
        <p>{t('tenant.secret', { tenant: secret.tenant, account: secret.account })}</p>
        <InputGroup
          readOnly
          size="large"
          aria-label={t('account.oneTime')}
          value={secret.password}
          onFocus={(event) => event.currentTarget.select()}
        />
      </DialogBody>
      <DialogFooter
        actions={<Button intent="primary" text={t('common.close')} onClick={onClose} />}
      />
    </Dialog>
  )
}
