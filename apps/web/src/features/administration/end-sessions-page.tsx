import { Button } from '@blueprintjs/core'
import { LogOut } from '@blueprintjs/icons'
import { problemText } from '@jiaowu/api/problem'
import { useLocation, useParams } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useAction } from '../../ui/resource/use-resource.ts'

/** Ends all sessions of a user, after a question that names the person. */
export function EndSessionsPage({ onClose }: { readonly onClose: () => void }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const { id = '' } = useParams()
  const query = new URLSearchParams(useLocation().search)
  const end = useAction(() => api.account.endSessions({ params: { id } }), {
    onDone: ({ name, ended }) => {
      toast('success', t('account.endedSessions', { name, n: ended }))
      onClose()
    },
  })
  const user = { name: query.get('name') ?? '', account: query.get('account') ?? '' }
  return (
    <div className="jw-reset">
      <span className="jw-reset__icon">
        <LogOut size={22} />
      </span>
      {end.problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, end.problem)}
        </p>
      )}
      <p>{t('account.endSessionsAsk', user)}</p>
      <div className="jw-reset__foot">
        <Button text={t('common.cancel')} onClick={onClose} />
        <Button
          intent="danger"
          loading={end.isActing}
          text={t('account.endSessions')}
          onClick={() => end.start()}
        />
      </div>
    </div>
  )
}
