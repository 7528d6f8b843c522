import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { SwapHorizontal } from '@blueprintjs/icons'
import type { TodosHandedOver } from '@jiaowu/api/contract/administration/account'
import { problemText } from '@jiaowu/api/problem'
import { useId, useState } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { type Chosen, PersonPicker } from '../../ui/flow/person-picker.tsx'
import { useAction } from '../../ui/resource/use-resource.ts'

/** Hands the tasks of a leaving person over to another, after a check that lists them. */
export function HandOverPage({ onClose }: { readonly onClose: () => void }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const { id = '' } = useParams()
  const noteId = useId()
  const query = new URLSearchParams(useLocation().search)
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [note, setNote] = useState('')
  const [checked, setChecked] = useState<TodosHandedOver | null>(null)
  const to = chosen[0]?.key ?? ''
  const call = (preview: boolean) =>
    api.account.handOver({ params: { id }, body: { to, note, preview } })
  const check = useAction(() => call(true), { onDone: setChecked })
  const give = useAction(() => call(false), {
    onDone: ({ name, done }) => {
      toast('success', t('account.handedOver', { name, n: done }))
      onClose()
    },
  })
  const problem = give.problem ?? check.problem
  const user = { name: query.get('name') ?? '', account: query.get('account') ?? '' }
  return (
    <div className="jw-reset">
      <span className="jw-reset__icon">
        <SwapHorizontal size={22} />
      </span>
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
      <p>{t('account.handOverAsk', user)}</p>
      <PersonPicker
        chosen={chosen}
        onChange={(people) => {
          setChosen(people.slice(-1))
          setChecked(null)
        }}
      />
      <FormGroup label={t('hand.reason')} labelFor={noteId}>
        <InputGroup
          id={noteId}
          fill
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
      </FormGroup>
      {checked === null ? null : <Checked found={checked} />}
      <div className="jw-reset__foot">
        <Button text={t('common.cancel')} onClick={onClose} />
        {checked === null || checked.done === 0 ? (
          <Button
            intent="primary"
            disabled={to === ''}
            loading={check.isActing}
            text={t('account.handOverCheck')}
            onClick={() => check.start()}
          />
        ) : (
          <Button
            intent="primary"
            loading={give.isActing}
            text={t('account.handOver')}
            onClick={() => give.start()}
          />
        )}
      </div>
    </div>
  )
}

/** The tasks that would go, by entity and step, and the reasons of those that stay. */
function Checked({ found }: { readonly found: TodosHandedOver }) {
  const { t } = useText()
  const { name, done, results, shared } = found
  return (
    <div role="status">
      <p>
        {results.length === 0
          ? t('account.handOverNone', { name })
          : t('account.handOverWould', { n: done })}
      </p>
      <ul className="jw-todo__names">
        {results.map((each) => (
          <li key={`${each.tag} ${each.id} ${each.path}`}>
            {each.ok
              ? `${each.name} · ${each.step ?? ''}`
              : t('account.handOverLeft', { ...each, msg: each.msg ?? '' })}
          </li>
        ))}
      </ul>
      {shared === 0 ? null : (
        <p className="jw-muted">{t('account.handOverShared', { n: shared })}</p>
      )}
    </div>
  )
}
