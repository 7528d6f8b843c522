import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  FormGroup,
  InputGroup,
  Tag,
} from '@blueprintjs/core'
import { Add, Refresh } from '@blueprintjs/icons'
import { problemOf, problemText, type TenantInfo, tenantCodePattern } from '@jiaowu/api'
import { useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { useLoad } from '../designer/definitions/use-load.ts'
import { AskDialog } from '../payments/refund-dialogs.tsx'
import { Failed, Loading } from '../../ui/page-state.tsx'

interface Secret {
  readonly tenant: string
  readonly account: string
  readonly password: string
}

/** /tenants: the schools of this installation, for administrators of its first one (docs/rules/security.md#permissions). */
export function TenantsPage() {
  const { api, t, toast, confirm, locale } = useApp()
  const { data, problem, again } = useLoad('tenants', (signal) => api.tenants.list({ signal }))
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState<Secret | null>(null)
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
      again()
    } catch (error) {
      toast('danger', problemText(locale, problemOf(error)), { lasting: true })
    }
  }
  const toggle = async ({ id, name, enabled }: TenantInfo) => {
    if (
      enabled &&
      !(await confirm({
        text: t('tenant.disableAsk', { name }),
        danger: true,
        confirmText: t('tenant.disable'),
      }))
    )
      return
    await attempt(async () => {
      await api.tenants.enable({ params: { id }, body: { enabled: !enabled } })
      toast('success', t(enabled ? 'tenant.disabled' : 'tenant.enabled'))
    })
  }
  const reset = async ({ id, name }: TenantInfo) => {
    if (
      await confirm({
        text: t('tenant.resetAsk', { name }),
        danger: true,
        confirmText: t('account.reset'),
      })
    )
      await attempt(async () =>
        setSecret({ tenant: id, ...(await api.tenants.resetAdministrator({ params: { id } })) }),
      )
  }
  if (problem !== null) return <Failed text={problemText(locale, problem)} onRetry={again} />
  if (data === null) return <Loading />
  return (
    <section className="jw-panel jw-tenants" aria-label={t('tenant.title')}>
      <div className="jw-toolbar">
        <Button
          intent="primary"
          icon={<Add />}
          text={t('tenant.add')}
          onClick={() => setAdding(true)}
        />
        <span className="jw-toolbar__gap" />
        <Button
          variant="minimal"
          icon={<Refresh />}
          aria-label={t('common.refresh')}
          title={t('common.refresh')}
          onClick={again}
        />
      </div>
      <div className="jw-table-wrap">
        <table className="jw-table">
          <thead>
            <tr>
              <th scope="col">{t('tenant.code')}</th>
              <th scope="col">{t('tenant.name')}</th>
              <th scope="col">{t('tenant.state')}</th>
              <th scope="col" className="is-right">
                {t('tenant.staff')}
              </th>
              <th scope="col">{t('tenant.created')}</th>
              <th scope="col" className="is-fixed is-edge-right jw-stuck">
                {t('list.operation')}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((tenant) => (
              <tr key={tenant.id}>
                <td>{tenant.id}</td>
                <td>{tenant.name}</td>
                <td>
                  <Tag minimal intent={tenant.enabled ? 'success' : 'none'}>
                    {t(tenant.enabled ? 'tenant.on' : 'tenant.off')}
                  </Tag>
                </td>
                <td className="is-right">{tenant.staff}</td>
                <td>{tenant.createTime}</td>
                <td className="is-fixed is-edge-right jw-stuck">
                  {tenant.own ? (
                    <span className="jw-muted">{t('tenant.own')}</span>
                  ) : (
                    <span className="jw-row-actions">
                      <Button
                        variant="minimal"
                        size="small"
                        intent={tenant.enabled ? 'danger' : 'primary'}
                        text={t(tenant.enabled ? 'tenant.disable' : 'tenant.enable')}
                        onClick={() => {
                          void toggle(tenant)
                        }}
                      />
                      <Button
                        variant="minimal"
                        size="small"
                        intent="primary"
                        text={t('tenant.reset')}
                        onClick={() => {
                          void reset(tenant)
                        }}
                      />
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {adding ? (
        <CreateDialog
          onClose={() => setAdding(false)}
          onDone={(made) => {
            setAdding(false)
            setSecret(made)
            again()
          }}
        />
      ) : null}
      {secret === null ? null : <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </section>
  )
}

function CreateDialog({
  onDone,
  onClose,
}: {
  readonly onDone: (secret: Secret) => void
  readonly onClose: () => void
}) {
  const { api, t } = useApp()
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const send = async () => {
    if (!tenantCodePattern.test(code.trim()) || name.trim() === '') throw t('tenant.needed')
    onDone({
      tenant: code.trim(),
      ...(await api.tenants.create({ body: { code: code.trim(), name: name.trim() } })),
    })
  }
  return (
    <AskDialog
      title={t('tenant.add')}
      intent="primary"
      action={t('common.add')}
      send={send}
      onClose={onClose}
    >
      <FormGroup label={t('tenant.code')} labelFor="tenant-code" helperText={t('tenant.codeHint')}>
        <InputGroup
          id="tenant-code"
          autoFocus
          inputMode="numeric"
          maxLength={9}
          value={code}
          onValueChange={setCode}
        />
      </FormGroup>
      <FormGroup label={t('tenant.name')} labelFor="tenant-name">
        <InputGroup id="tenant-name" maxLength={100} value={name} onValueChange={setName} />
      </FormGroup>
    </AskDialog>
  )
}

/** Shown once: what the new administrator signs in with. */
function SecretDialog({
  secret,
  onClose,
}: {
  readonly secret: Secret
  readonly onClose: () => void
}) {
  const { t } = useApp()
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
