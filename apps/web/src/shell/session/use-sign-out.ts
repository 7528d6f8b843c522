import { useCallback } from 'react'
import type { SessionActor } from '../../ports/index.ts'
import { storedProvider } from '../../ports/sso.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'

/**
 * Ends the session by `event`; everything that is not saved goes with it, so the user is asked first. A session
 * that came from an identity provider is ended there as well.
 */
export function useSignOut(session: SessionActor, event: 'session.signOut' | 'reminder.leave') {
  const { t } = useText()
  const { api } = useApi()
  const { confirm } = useNotice()
  const { hasUnsaved } = useTabs()
  return useCallback(async () => {
    if (hasUnsaved() && !(await confirm({ text: t('shell.signOutUnsaved'), danger: true }))) return
    const provider = event === 'session.signOut' ? storedProvider.read() : null
    const ended =
      provider === null ? null : await api.sso.logout({ params: { provider } }).catch(() => null)
    if (ended === null) {
      session.send({ type: event })
      return
    }
    session.send({ type: 'storage.changed', facts: null })
    if (ended.url !== null) location.assign(ended.url)
  }, [api, session, event, t, confirm, hasUnsaved])
}
