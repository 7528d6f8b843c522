import { Button, InputGroup } from '@blueprintjs/core'
import { Duplicate, Key } from '@blueprintjs/icons'
import { problemText } from '@jiaowu/api/problem'
import { useLocation, useParams } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useAction } from '../../ui/resource/use-resource.ts'

/**
 * Resets a user's password and shows the one-time password; it cannot be shown again
 * (docs/rules/security.md#h9).
 */
export function PasswordResetPage({ onClose }: { readonly onClose: () => void }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const { id = '' } = useParams()
  const query = new URLSearchParams(useLocation().search)
  const reset = useAction(() => api.account.resetPassword({ params: { id } }))
  const made = reset.output
  const copy = async (password: string) => {
    try {
      await navigator.clipboard.writeText(password)
      toast('success', t('account.copied'))
    } catch {
      toast('warning', t('account.copyFailed'))
    } // no clipboard without https: the password can be selected
  }
  const user = {
    name: made?.name ?? query.get('name') ?? '',
    account: made?.account ?? query.get('account') ?? '',
  }
  return (
    <div className="jw-reset">
      <span className="jw-reset__icon">
        <Key size={22} />
      </span>
      {reset.problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, reset.problem)}
        </p>
      )}
      <p>{t(made === null ? 'account.resetAsk' : 'account.resetDone', user)}</p>
      {made === null ? null : (
        <div className="jw-reset__password">
          <InputGroup
            readOnly
            size="large"
            autoFocus
            aria-label={t('account.oneTime')}
            value={made.password}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button
            size="large"
            icon={<Duplicate />}
            text={t('account.copy')}
            onClick={() => {
              void copy(made.password)
            }}
          />
        </div>
      )}
      <div className="jw-reset__foot">
        <Button text={t(made === null ? 'common.cancel' : 'common.close')} onClick={onClose} />
        {made === null ? (
          <Button
            intent="primary"
            loading={reset.isActing}
            text={t('account.reset')}
            onClick={() => reset.start()}
          />
        ) : null}
      </div>
    </div>
  )
}
