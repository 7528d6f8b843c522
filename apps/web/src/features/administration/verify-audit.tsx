import { Button } from '@blueprintjs/core'
import { Endorsed } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { toProblem } from '@jiaowu/api/problem'
import { useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useFailureToast } from '../../ui/use-failure-toast.ts'

const auditTag = 'SYS_LOG'

/** Checks the school's chain of audit lines; only on the list of the audit log. */
export function VerifyAudit({ config }: { readonly config: EntityConfig }) {
  const { t } = useText()
  const { api, can } = useApi()
  const { toast } = useNotice()
  const toastFailure = useFailureToast()
  const [busy, setBusy] = useState(false)
  if (config.tag !== auditTag || !can('audit:view')) return null
  const verify = async () => {
    setBusy(true)
    try {
      const { lines, complete, broken } = await api.audit.verify({})
      if (broken !== null)
        toast(
          'danger',
          t('audit.broken', { number: broken.number, why: t(`audit.why.${broken.why}`) }),
          { lasting: true },
        )
      else toast('success', t(complete ? 'audit.intact' : 'audit.partly', { n: lines }))
    } catch (error) {
      toastFailure(toProblem(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      icon={<Endorsed />}
      text={t('audit.verify')}
      loading={busy}
      onClick={() => void verify()}
    />
  )
}
