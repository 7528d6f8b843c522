import { Button } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { schoolTime } from '@jiaowu/api/formats'
import { problemText } from '@jiaowu/api/problem'
import { useLocation, useParams } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useResource } from '../../ui/resource/use-resource.ts'

/** Removes the second factors of a user: one administrator asks, another one agrees (docs/rules/security.md#s10). */
export function ResetFactorsPage({ onClose }: { readonly onClose: () => void }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const { id = '' } = useParams()
  const query = new URLSearchParams(useLocation().search)
  const factors = useResource({
    query: id,
    load: (account, signal) => api.account.factors({ params: { id: account }, signal }),
    actions: { reset: () => api.account.resetFactors({ params: { id } }) },
    onDone: {
      reset: ({ name, isReset }) => {
        toast('success', isReset ? t('factor.resetDone', { name }) : t('factor.askedDone'))
        onClose()
      },
    },
  })
  const { data } = factors
  const problem = factors.problem ?? factors.failureOf('reset')
  const asked = data?.asked ?? null
  const at = asked === null ? '' : schoolTime(asked.at).slice(0, 16)
  const user = { name: query.get('name') ?? '', account: query.get('account') ?? '' }
  const isNone = data !== null && data.count === 0
  return (
    <div className="jw-reset">
      <span className="jw-reset__icon">
        <Key size={22} />
      </span>
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
      <p>{isNone ? t('factor.none') : t('factor.resetAsk', user)}</p>
      {asked === null || isNone ? null : (
        <p role="status">
          {asked.own ? t('factor.resetOwn', { at }) : t('factor.resetAsked', { by: asked.by, at })}
        </p>
      )}
      <div className="jw-reset__foot">
        <Button text={t('common.cancel')} onClick={onClose} />
        <Button
          intent="danger"
          disabled={data === null || isNone || asked?.own === true}
          loading={factors.acting !== null}
          text={t(asked === null ? 'factor.ask' : 'factor.agree')}
          onClick={() => factors.start('reset')}
        />
      </div>
    </div>
  )
}
