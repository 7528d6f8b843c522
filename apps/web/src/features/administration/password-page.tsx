import { Button, InputGroup } from '@blueprintjs/core'
import { Duplicate, Key } from '@blueprintjs/icons'
import { problemOf, problemText } from '@jiaowu/api'
import { useState } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { useApp } from '../../shell/context/app-context.tsx'

/** A person's password is made anew and shown this once; what is closed is gone (docs/rules/security.md#h9). */
export function PasswordResetPage({ onClose }: { readonly onClose: () => void }) {
  const { api, t, toast, locale } = useApp()
  const { id = '' } = useParams()
  const query = new URLSearchParams(useLocation().search)
  const [made, setMade] = useState<{
    readonly account: string
    readonly name: string
    readonly password: string
  } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const reset = async () => {
    setBusy(true)
    try {
      setMade(await api.account.resetPassword({ params: { id } }))
    } catch (error) {
      setFault(problemText(locale, problemOf(error)))
    } finally {
      setBusy(false)
    }
  }
  const copy = async (password: string) => {
    try {
      await navigator.clipboard.writeText(password)
      toast('success', t('account.copied'))
    } catch {
      toast('warning', t('account.copyFailed'))
    } // no clipboard without https: the password can be selected
  }
  const who = {
    name: made?.name ?? query.get('name') ?? '',
    account: made?.account ?? query.get('account') ?? '',
  }
  return (
    <div className="jw-reset">
      <span className="jw-reset__icon">
        <Key size={22} />
      </span>
      {fault === null ? null : (
        <p className="jw-fault" role="alert">
          {fault}
        </p>
      )}
      <p>{t(made === null ? 'account.resetAsk' : 'account.resetDone', who)}</p>
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
            loading={busy}
            text={t('account.reset')}
            onClick={() => {
              void reset()
            }}
          />
        ) : null}
      </div>
    </div>
  )
}
