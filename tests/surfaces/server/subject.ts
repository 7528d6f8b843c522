import type { Asker } from './endings.ts'
import type { AccountName } from './settings.ts'
import { makeOnce, type RunContext, type Tokens } from './run-context.ts'

/** The user under test. Each ending of a call decides their session just before the call. */
export type Subject = Awaited<ReturnType<typeof createSubject>>

export async function createSubject(run: RunContext, account: AccountName) {
  const self = await run.signIn(account)
  const person = run.userWith(self)
  run.onClose('a session', () => run.userWith(self).api.session.signOut({}))
  const sessions = {
    self: () => Promise.resolve(self),
    ended: makeOnce(() => endedSession(run, account)),
    viewer: makeOnce(() => run.signIn('viewer')),
  }
  return {
    api: person.api,
    become: async (who: Asker) => person.become(await sessions[who]()),
  }
}

/** The tokens of a session that its user has ended. */
export async function endedSession(run: RunContext, account: AccountName): Promise<Tokens> {
  const tokens = await run.signIn(account)
  await run.userWith(tokens).api.session.signOut({})
  return tokens
}
