import './own-sessions.css'
import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { OwnSession } from '@jiaowu/api/contract/own-session'
import { problemText } from '@jiaowu/api/problem'
import { relativeTime, schoolTime } from '@jiaowu/api/formats'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { type Texts, useText } from '../../app/text-context.ts'
import { useTimeOfMount } from '../../app/use-time-of-mount.ts'

const others = 'others'

/**
 * The caller's sessions: what each was opened with, from where and when it was last used. Ends one of them,
 * or all but this one (docs/rules/contract.md#sessions).
 */
export function OwnSessions({ onClose }: { readonly onClose: () => void }) {
  const { t, locale } = useText()
  const sessions = useSessions()
  const { data } = sessions
  const problem = sessions.problem ?? sessions.failureOf('end')
  return (
    <Dialog isOpen title={t('session.own')} onClose={onClose} className="jw-calm">
      <DialogBody>
        {problem === null ? null : (
          <p className="jw-fault" role="alert">
            {problemText(locale, problem)}
          </p>
        )}
        <p className="jw-muted">{t('session.ownAbout')}</p>
        <ul className="jw-sessions" aria-busy={sessions.isLoading}>
          {(data ?? []).map((session) => (
            <li key={session.id}>
              <Facts session={session} />
              {session.current ? null : (
                <Button
                  size="small"
                  intent="danger"
                  variant="outlined"
                  text={t('session.end')}
                  aria-label={t('session.endNamed', { device: formatDevice(session, t) })}
                  disabled={sessions.acting !== null}
                  onClick={() => sessions.start('end', session.id)}
                />
              )}
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              intent="danger"
              variant="minimal"
              text={t('session.endOthers')}
              disabled={(data?.length ?? 0) < 2}
              loading={sessions.acting !== null}
              onClick={() => sessions.start('end', others)}
            />
            <Button text={t('common.close')} onClick={onClose} />
          </>
        }
      />
    </Dialog>
  )
}

function useSessions() {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const sessions = useResource({
    query: 'own',
    load: (_query, signal) => api.ownSessions.list({ signal }),
    actions: { end: (id: string) => api.ownSessions.end({ params: { id } }) },
    confirm: {
      end: (id) =>
        id === others
          ? { text: t('session.endOthersAsk'), danger: true, confirmText: t('session.end') }
          : null,
    },
    onDone: {
      end: ({ ended }) => {
        toast('success', t('session.endedCount', { n: ended.length }))
        sessions.reload()
      },
    },
    // Ended meanwhile, on another device.
    onFailed: { end: () => sessions.reload() },
  })
  return sessions
}

function formatDevice({ device }: OwnSession, t: Texts['t']): string {
  return device ?? t('session.unknownDevice')
}

/** The ways of sign-in that have a text; others are shown as they are. */
const ways = {
  password: 'session.by.password',
  sms: 'session.by.sms',
  device: 'session.by.device',
  oidc: 'session.by.oidc',
  cas: 'session.by.cas',
  ldap: 'session.by.ldap',
} as const

function formatSignInWay(by: string, t: Texts['t']): string {
  return Object.hasOwn(ways, by) ? t(ways[by as keyof typeof ways]) : by
}

function Facts({ session }: { readonly session: OwnSession }) {
  const { t, locale } = useText()
  const { address, by, began, lastUse, current } = session
  const now = useTimeOfMount()
  return (
    <div>
      <strong>
        {formatDevice(session, t)}
        {current ? <span className="jw-sessions__current">{t('session.current')}</span> : null}
      </strong>
      <small>
        {[address, by === null ? null : formatSignInWay(by, t)]
          .filter((part) => part !== null)
          .join(' · ')}
      </small>
      <small>
        {t('session.beganAt', { at: schoolTime(began).slice(0, 16) })} ·{' '}
        <time dateTime={lastUse} title={schoolTime(lastUse)}>
          {t('session.usedAt', { at: relativeTime(locale, Date.parse(lastUse), now) })}
        </time>
      </small>
    </div>
  )
}
