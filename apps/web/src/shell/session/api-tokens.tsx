import './api-tokens.css'
import {
  Button,
  Checkbox,
  DialogBody,
  DialogFooter,
  FormGroup,
  InputGroup,
} from '@blueprintjs/core'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { type ApiToken, type TokenRight, tokenRights } from '@jiaowu/api/contract/token'
import { problemText } from '@jiaowu/api/problem'
import { type SubmitEvent, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'

interface Props {
  /** Its entities can be chosen. */
  readonly menu: readonly MenuNode[]
  readonly onClose: () => void
}

/** The caller's tokens for programs: lists, makes and revokes them (docs/rules/contract.md#api-tokens). */
export function ApiTokens({ menu, onClose }: Props) {
  const { t, locale } = useText()
  const [isNew, setNew] = useState(false)
  const tokens = useTokens()
  const problem = tokens.problem ?? tokens.failureOf('create') ?? tokens.failureOf('revoke')
  const made = tokens.outputOf('create')
  return (
    <Dialog isOpen title={t('token.title')} onClose={onClose} className="jw-calm">
      <DialogBody>
        {/* It is shown once. */}
        <Unsaved when={made !== null} />
        {problem === null ? null : (
          <p className="jw-fault" role="alert">
            {problemText(locale, problem)}
          </p>
        )}
        {made === null ? <p className="jw-muted">{t('token.about')}</p> : null}
        {made !== null ? (
          <MadeToken token={made.token} />
        ) : isNew ? (
          <TokenForm
            menu={menu}
            isBusy={tokens.acting === 'create'}
            onSubmit={(values) => tokens.start('create', values)}
          />
        ) : (
          <TokenList
            tokens={tokens.data ?? []}
            isBusy={tokens.acting !== null}
            onRevoke={(token) => tokens.start('revoke', token)}
          />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          made !== null ? (
            <Button
              intent="primary"
              text={t('token.kept')}
              onClick={() => {
                tokens.dismiss('create')
                setNew(false)
              }}
            />
          ) : (
            <>
              <Button text={t('token.new')} disabled={isNew} onClick={() => setNew(true)} />
              <Button
                text={t(isNew ? 'common.cancel' : 'common.close')}
                onClick={isNew ? () => setNew(false) : onClose}
              />
            </>
          )
        }
      />
    </Dialog>
  )
}

interface TokenValues {
  readonly name: string
  readonly entities: string[]
  readonly rights: TokenRight[]
  readonly days: number
}

function useTokens() {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const tokens = useResource({
    query: 'own',
    load: (_query, signal) => api.apiToken.list({ signal }),
    actions: {
      create: (values: TokenValues) => api.apiToken.create({ body: values }),
      revoke: ({ id }: ApiToken) => api.apiToken.revoke({ params: { id } }),
    },
    confirm: {
      revoke: ({ name }) => ({
        text: t('token.revokeAsk', { name }),
        danger: true,
        confirmText: t('token.revoke'),
      }),
    },
    onDone: {
      create: () => tokens.reload(),
      revoke: () => {
        toast('success', t('token.gone'))
        tokens.reload()
      },
    },
  })
  return tokens
}

function MadeToken({ token }: { readonly token: string }) {
  const { t } = useText()
  return (
    <FormGroup label={t('token.once')} labelFor="made-token">
      <InputGroup
        id="made-token"
        readOnly
        autoFocus
        value={token}
        onFocus={({ currentTarget }) => currentTarget.select()}
        rightElement={
          <Button
            variant="minimal"
            text={t('token.copy')}
            onClick={() => void navigator.clipboard?.writeText(token)}
          />
        }
      />
    </FormGroup>
  )
}

interface ListProps {
  readonly tokens: readonly ApiToken[]
  readonly isBusy: boolean
  readonly onRevoke: (token: ApiToken) => void
}

function TokenList({ tokens, isBusy, onRevoke }: ListProps) {
  const { t } = useText()
  if (tokens.length === 0) return <p className="jw-muted">{t('token.none')}</p>
  return (
    <ul className="jw-tokens">
      {tokens.map((token) => (
        <li key={token.id}>
          <div>
            <strong>{token.name}</strong>
            <small>
              {token.entities.join(' ')} ·{' '}
              {token.rights.map((right) => t(`token.right.${right}`)).join('、')}
            </small>
            <small>
              {t(`token.${token.state}`)} · {t('token.expires')} {token.expiresAt.slice(0, 10)}
              {token.usedAt === null ? '' : ` · ${t('token.used')} ${token.usedAt.slice(0, 16)}`}
            </small>
          </div>
          {token.state === 'active' ? (
            <Button
              size="small"
              intent="danger"
              variant="outlined"
              text={t('token.revoke')}
              aria-label={t('token.revokeNamed', { name: token.name })}
              disabled={isBusy}
              onClick={() => onRevoke(token)}
            />
          ) : null}
        </li>
      ))}
    </ul>
  )
}

interface FormProps {
  readonly menu: readonly MenuNode[]
  readonly isBusy: boolean
  readonly onSubmit: (values: TokenValues) => void
}

function TokenForm({ menu, isBusy, onSubmit }: FormProps) {
  const { t } = useText()
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [entities, setEntities] = useState<readonly string[]>([])
  const [rights, setRights] = useState<readonly TokenRight[]>(['read'])
  const isComplete =
    name.trim() !== '' && entities.length > 0 && rights.length > 0 && /^[1-9]\d{0,2}$/.test(days)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isComplete)
      onSubmit({
        name: name.trim(),
        entities: [...entities],
        rights: [...rights],
        days: Number(days),
      })
  }
  return (
    <form className="jw-token-form" onSubmit={submit} noValidate>
      <Unsaved when={name !== '' || entities.length > 0} />
      <FormGroup label={t('token.name')} labelFor="token-name" helperText={t('token.nameHint')}>
        <InputGroup id="token-name" autoFocus maxLength={64} value={name} onValueChange={setName} />
      </FormGroup>
      <fieldset>
        <legend>{t('token.entities')}</legend>
        <div className="jw-token-form__entities">
          {collectEntities(menu).map(([tag, text]) => (
            <Checkbox
              key={tag}
              label={text}
              checked={entities.includes(tag)}
              onChange={() => setEntities(toggleItem(entities, tag))}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>{t('token.rights')}</legend>
        {tokenRights.map((right) => (
          <Checkbox
            key={right}
            inline
            label={t(`token.right.${right}`)}
            checked={rights.includes(right)}
            onChange={() => setRights(toggleItem(rights, right))}
          />
        ))}
      </fieldset>
      <FormGroup label={t('token.days')} labelFor="token-days">
        <InputGroup
          id="token-days"
          inputMode="numeric"
          maxLength={3}
          value={days}
          onValueChange={setDays}
        />
      </FormGroup>
      <Button
        type="submit"
        intent="primary"
        text={t('token.make')}
        disabled={!isComplete}
        loading={isBusy}
      />
    </form>
  )
}

function toggleItem<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((each) => each !== item) : [...list, item]
}

/** The entities of the menu, once each. */
function collectEntities(menu: readonly MenuNode[]): [tag: string, text: string][] {
  const found = new Map<string, string>()
  const walk = (nodes: readonly MenuNode[]) => {
    for (const { tag, meta, children } of nodes) {
      if (tag !== null && !found.has(tag)) found.set(tag, meta.title)
      walk(children)
    }
  }
  walk(menu)
  return [...found]
}
