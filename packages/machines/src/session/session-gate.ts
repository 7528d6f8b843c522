import { type Credentials, limits } from '@jiaowu/api'
import type { ActorRefFrom } from 'xstate'
import type { sessionMachine } from './machine.ts'

/**
 * What the API client asks before each call: the credentials, refreshed first when less than 5
 * minutes are left (docs/spec/1-entity-console.md §4).
 * However many calls ask at once, the machine refreshes once and all of them wait for it.
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
      // A call may be made from within a transition (the profile's are): what is asked of the
      // machine then is seen only after it.
      await Promise.resolve()
      const { facts } = actor.getSnapshot().context
      if (facts !== null && facts.expiresAt - now() < limits.refreshThreshold)
        actor.send({ type: 'token.stale' })
      await settled()
      return credentials()
    },
  }
}
