import { useCallback } from 'react'
import type { SessionActor } from '../../ports/index.ts'
import { useApp } from '../context/app-context.tsx'

/** Ends the session by `event`; everything that is not saved goes with it, so the user is asked first. */
export function useSignOut(session: SessionActor, event: 'session.signOut' | 'reminder.leave') {
  const { t, confirm, hasUnsaved } = useApp()
  return useCallback(async () => {
    if (!hasUnsaved() || (await confirm({ text: t('shell.signOutUnsaved'), danger: true })))
      session.send({ type: event })
  }, [session, event, t, confirm, hasUnsaved])
}
