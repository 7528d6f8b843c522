import type { Credentials } from '@jiaowu/api/client/client'
import { limits } from '@jiaowu/api/limits'
import type { ActorRefFrom } from 'xstate'
import type { sessionMachine } from './machine.ts'

/**
 * Provides the API client with credentials before each call, refreshed first when they expire
 * within 5 minutes (docs/spec/1-entity-console.md §4).
 * Concurrent calls wait for a single refresh.
 */
export function createSessionGate(actor: ActorRefFrom<typeof sessionMachine>, now: () => number) {
  const credentials = (): Credentials | undefined => {
    const { facts, profile } = actor.getSnapshot().context
    return facts === null
      ? undefined
      : {
          token: facts.token,
          account: profile?.user.account ?? '',
          accountId: profile?.user.id ?? '',
        }
  }
  const isRefreshing = () => actor.getSnapshot().hasTag('refreshing')
  const settled = () =>
    new Promise<void>((resolve) => {
      if (!isRefreshing()) {
        resolve()
        return
      }
      const watching = actor.subscribe(() => {
        if (!isRefreshing()) {
          watching.unsubscribe()
          resolve()
        }
      })
    })
  return {
    authorise: async (): Promise<Credentials | undefined> => {
      // A call can start within a transition (loading the profile does); events sent then take
      // effect only after it.
      await Promise.resolve()
      const { facts } = actor.getSnapshot().context
      if (facts !== null && facts.expiresAt - now() < limits.refreshThreshold)
        actor.send({ type: 'token.stale' })
      await settled()
      return credentials()
    },
  }
}
