import './proposals.css'
import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { Proposal, ProposalPreview } from '@jiaowu/api/contract/agent'
import type { WireValue } from '@jiaowu/api/entity/values'
import { type Problem, problemText } from '@jiaowu/api/problem'
import { useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'

/** Lists the writes that agents proposed for the caller, who looks at each and decides (docs/agents.md). */
export function Proposals({ onClose }: { readonly onClose: () => void }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const [chosen, setChosen] = useState<string | null>(null)
  const list = useResource({
    query: 'own',
    load: (_query, signal) => api.proposals.list({ signal }),
  })
  return (
    <Dialog isOpen title={t('proposal.title')} onClose={onClose} className="jw-calm">
      {chosen === null ? (
        <>
          <DialogBody>
            <Fault problem={list.problem} />
            <p className="jw-muted">{t('proposal.about')}</p>
            {list.data?.length === 0 ? <p className="jw-muted">{t('proposal.none')}</p> : null}
            <ul className="jw-proposals">
              {(list.data ?? []).map((proposal) => (
                <li key={proposal.id}>
                  <ProposalHead proposal={proposal} />
                  {proposal.state === 'open' ? (
                    <Button
                      size="small"
                      text={t('proposal.look')}
                      aria-label={t('proposal.lookNamed', { id: proposal.id })}
                      onClick={() => setChosen(proposal.id)}
                    />
                  ) : null}
                </li>
              ))}
            </ul>
          </DialogBody>
          <DialogFooter actions={<Button text={t('common.close')} onClick={onClose} />} />
        </>
      ) : (
        <OneProposal
          key={`${chosen} ${locale}`}
          id={chosen}
          onBack={() => {
            setChosen(null)
            list.reload()
          }}
        />
      )}
    </Dialog>
  )
}

function Fault({ problem }: { readonly problem: Problem | null }) {
  const { locale } = useText()
  return problem === null ? null : (
    <p className="jw-fault" role="alert">
      {problemText(locale, problem)}
    </p>
  )
}

function ProposalHead({ proposal }: { readonly proposal: Proposal }) {
  const { t } = useText()
  const { agent, kind, entity, count, state, createTime, expiresAt } = proposal
  return (
    <div className="jw-proposal__head">
      <strong>
        {agent}: {t(`proposal.kind.${kind}`)} {entity} ({count})
      </strong>
      <small>
        {t(`proposal.is.${state}`)} · {createTime.slice(0, 16)} · {t('token.expires')}{' '}
        {expiresAt.slice(0, 16)}
      </small>
    </div>
  )
}

function OneProposal({ id, onBack }: { readonly id: string; readonly onBack: () => void }) {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const done = (proposal: Proposal) => {
    toast('success', t(`proposal.is.${proposal.state}`))
    onBack()
  }
  const shown = useResource({
    query: id,
    load: (asked, signal) => api.proposals.read({ params: { id: asked }, signal }),
    actions: {
      confirm: ({ digest, count }: ProposalPreview) =>
        api.proposals.confirm({ params: { id }, body: { digest, count } }),
      refuse: () => api.proposals.refuse({ params: { id } }),
    },
    confirm: {
      confirm: ({ count }) => ({
        text: t('proposal.ask', { n: count }),
        confirmText: t('proposal.confirm'),
      }),
    },
    onDone: { confirm: done, refuse: done },
    // A row may have changed: what is shown next is the preview as it is now.
    onFailed: { confirm: () => shown.reload() },
  })
  const { data } = shown
  const isBusy = shown.acting !== null || shown.isLoading
  return (
    <>
      <DialogBody>
        <Fault problem={shown.problem ?? shown.failureOf('confirm') ?? shown.failureOf('refuse')} />
        {data === null ? null : <Preview preview={data} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('proposal.back')} onClick={onBack} />
            <Button
              text={t('proposal.refuse')}
              disabled={isBusy || data?.state !== 'open'}
              onClick={() => shown.start('refuse')}
            />
            <Button
              intent="primary"
              text={t('proposal.confirm')}
              disabled={isBusy || data?.state !== 'open' || data.fault !== null}
              onClick={() => {
                if (data !== null) shown.start('confirm', data)
              }}
            />
          </>
        }
      />
    </>
  )
}

function Preview({ preview }: { readonly preview: ProposalPreview }) {
  const { t } = useText()
  return (
    <>
      <ProposalHead proposal={preview} />
      {preview.fault === null ? null : (
        <p className="jw-fault" role="alert">
          {preview.fault}
        </p>
      )}
      {preview.rows.map((row) => (
        <section key={row.id} className="jw-proposal__row">
          <strong>{row.title === '' ? row.id : row.title}</strong>
          {row.changes.length === 0 ? (
            <p className="jw-muted">{t('proposal.noChange')}</p>
          ) : (
            <dl>
              {row.changes.map(({ label, from, to }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <del>{formatValue(from)}</del> → <ins>{formatValue(to)}</ins>
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </section>
      ))}
    </>
  )
}

function formatValue(value: WireValue): string {
  if (value === null) return '—'
  return Array.isArray(value) ? value.map(({ name }) => name).join('、') : String(value)
}
