import type { Outcome } from '@jiaowu/path-tests'
import { refusedAs, type Scene } from './server-driver.ts'
import type { AccountName } from './settings.ts'
import type { Api, Tokens, RunContext } from './run-context.ts'

/** The user under test. A scene decides their session just before a call. */
export interface Subject {
  readonly api: Api
  /** A scene with a normal session. */
  usual<I>(make: (input: I) => Promise<Scene> | Scene): (input: I) => Promise<Scene>
  /**
   * A sign-out elsewhere has ended their session: the call is refused as 401
   * (docs/rules/contract.md#envelope).
   */
  ended(check?: () => Promise<readonly string[]>): (input: unknown) => Promise<Scene>
  /**
   * A user without the right: 403, or 404 where the record is hidden from them. `check` verifies
   * that nothing changed.
   */
  forbidden(
    check?: () => Promise<readonly string[]>,
    codes?: readonly number[],
  ): (input: unknown) => Promise<Scene>
}

export async function createSubject(run: RunContext, account: AccountName): Promise<Subject> {
  const usual = await run.signIn(account)
  const person = run.userWith(usual)
  const others = new Map<string, Promise<Tokens>>()
  const once = (name: string, make: () => Promise<Tokens>): Promise<Tokens> => {
    const known = others.get(name) ?? make()
    others.set(name, known)
    return known
  }
  const over = () =>
    once('over', async () => {
      const tokens = await run.signIn(account)
      await run.userWith(tokens).api.session.signOut({})
      return tokens
    })
  const refused = async (
    answer: Outcome,
    kind: 'session' | 'refused',
    codes: readonly number[],
    check: (() => Promise<readonly string[]>) | undefined,
  ) => [...refusedAs(answer, kind, ...codes), ...((await check?.()) ?? [])]
  run.onClose('a session', async () => {
    await run.userWith(usual).api.session.signOut({})
  })
  return {
    api: person.api,
    usual: (make) => (input) => {
      person.become(usual)
      return Promise.resolve(make(input))
    },
    ended: (check) => async () => {
      person.become(await over())
      return { check: (answer) => refused(answer, 'session', [], check) }
    },
    forbidden:
      (check, codes = [403]) =>
      async () => {
        person.become(await once('viewer', () => run.signIn('viewer')))
        return { check: (answer) => refused(answer, 'refused', codes, check) }
      },
  }
}
