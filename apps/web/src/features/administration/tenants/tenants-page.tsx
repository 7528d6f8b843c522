import { Button, Tag } from '@blueprintjs/core'
import { Add, Refresh } from '@blueprintjs/icons'
import type { TenantInfo } from '@jiaowu/api/contract/administration/tenant'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { type Texts, useText } from '../../../app/text-context.ts'
import { type AdminColumn, AdminTable } from '../../../ui/admin-table.tsx'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useFailureToast } from '../../../ui/use-failure-toast.ts'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { CreateTenantDialog, SecretDialog } from './tenant-dialogs.tsx'

/**
 * /tenants: the schools of this installation, for administrators of its first one
 * (docs/rules/security.md#permissions).
 */
export function TenantsPage() {
  const { t } = useText()
  const [adding, setAdding] = useState(false)
  const page = useTenants(() => setAdding(false))
  const secret = page.outputOf('reset') ?? page.outputOf('create')
  const close = () => {
    setAdding(false)
    page.dismiss('create')
  }
  return (
    <>
      <ResourceBody of={page}>
        {(tenants) => (
          <section className="jw-panel jw-tenants" aria-label={t('tenant.title')}>
            <TenantsToolbar onAdd={() => setAdding(true)} onReload={page.reload} />
            <AdminTable
              columns={buildTenantColumns(t)}
              rows={tenants}
              empty={t('common.empty')}
              actions={{
                header: t('list.operation'),
                cell: ({ id, name, own, enabled }) => (
                  <TenantRowActions
                    own={own}
                    enabled={enabled}
                    onEnable={() => page.start('enable', { id, name, enabled: !enabled })}
                    onReset={() => page.start('reset', { id, name })}
                  />
                ),
              }}
            />
          </section>
        )}
      </ResourceBody>
      {adding ? (
        <CreateTenantDialog
          isActing={page.acting === 'create'}
          problem={page.failureOf('create')}
          onSubmit={(values) => page.start('create', values)}
          onClose={close}
        />
      ) : null}
      {secret === null ? null : (
        <SecretDialog
          secret={secret}
          onClose={() => {
            page.dismiss('reset')
            page.dismiss('create')
          }}
        />
      )}
    </>
  )
}

interface TenantRef {
  readonly id: string
  readonly name: string
}

function useTenants(onCreated: () => void) {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const toastFailure = useFailureToast()
  return useResource({
    query: 'tenants',
    load: (_query, signal) => api.tenants.list({ signal }),
    actions: {
      enable: async ({ id, enabled }: TenantRef & { readonly enabled: boolean }) => {
        await api.tenants.enable({ params: { id }, body: { enabled } })
        return enabled
      },
      reset: async ({ id }: TenantRef) => ({
        tenant: id,
        ...(await api.tenants.resetAdministrator({ params: { id } })),
      }),
      create: async (body: { readonly code: string; readonly name: string }) => ({
        tenant: body.code,
        ...(await api.tenants.create({ body })),
      }),
    },
    confirm: {
      enable: ({ name, enabled }) =>
        enabled
          ? null
          : {
              text: t('tenant.disableAsk', { name }),
              danger: true,
              confirmText: t('tenant.disable'),
            },
      reset: ({ name }) => ({
        text: t('tenant.resetAsk', { name }),
        danger: true,
        confirmText: t('account.reset'),
      }),
    },
    onDone: {
      enable: (enabled) => toast('success', t(enabled ? 'tenant.enabled' : 'tenant.disabled')),
      create: onCreated,
    },
    onFailed: { enable: toastFailure, reset: toastFailure },
  })
}

function TenantsToolbar({
  onAdd,
  onReload,
}: {
  readonly onAdd: () => void
  readonly onReload: () => void
}) {
  const { t } = useText()
  return (
    <div className="jw-toolbar">
      <Button intent="primary" icon={<Add />} text={t('tenant.add')} onClick={onAdd} />
      <span className="jw-toolbar__gap" />
      <Button
        variant="minimal"
        icon={<Refresh />}
        aria-label={t('common.refresh')}
        title={t('common.refresh')}
        onClick={onReload}
      />
    </div>
  )
}

function buildTenantColumns(t: Texts['t']): readonly AdminColumn<TenantInfo>[] {
  return [
    { key: 'id', header: t('tenant.code'), cell: ({ id }) => id },
    { key: 'name', header: t('tenant.name'), cell: ({ name }) => name },
    {
      key: 'state',
      header: t('tenant.state'),
      cell: ({ enabled }) => (
        <Tag minimal intent={enabled ? 'success' : 'none'}>
          {t(enabled ? 'tenant.on' : 'tenant.off')}
        </Tag>
      ),
    },
    { key: 'staff', header: t('tenant.staff'), align: 'right', cell: ({ staff }) => staff },
    { key: 'created', header: t('tenant.created'), cell: ({ createTime }) => createTime },
  ]
}

function TenantRowActions({
  own,
  enabled,
  onEnable,
  onReset,
}: {
  readonly own: boolean
  readonly enabled: boolean
  readonly onEnable: () => void
  readonly onReset: () => void
}) {
  const { t } = useText()
  if (own) return <span className="jw-muted">{t('tenant.own')}</span>
  return (
    <span className="jw-row-actions">
      <Button
        variant="minimal"
        size="small"
        intent={enabled ? 'danger' : 'primary'}
        text={t(enabled ? 'tenant.disable' : 'tenant.enable')}
        onClick={onEnable}
      />
      <Button
        variant="minimal"
        size="small"
        intent="primary"
        text={t('tenant.reset')}
        onClick={onReset}
      />
    </span>
  )
}
