import type { Asker } from './endings.ts'
import type { AccountName } from './settings.ts'
import { type Api, once, type RunContext } from './run-context.ts'

/** The user under test. Each ending of a call decides their session just before the call. */
export interface Subject {
  readonly api: Api
  become(who: Asker): Promise<void>
}

export async function createSubject(run: RunContext, account: AccountName): Promise<Subject> {
  const self = await run.signIn(account)
  const person = run.userWith(self)
  run.onClose('a session', () => run.userWith(self).api.session.signOut({}))
  const sessions = {
    self: () => Promise.resolve(self),
    ended: once(async () => {
      const tokens = await run.signIn(account)
      await run.userWith(tokens).api.session.signOut({})
      return tokens
    }),
    viewer: once(() => run.signIn('viewer')),
  }
  return {
    api: person.api,
    become: async (who) => {
      person.become(await sessions[who]())
    },
  }
}
