import type { Outcome } from '@jiaowu/path-tests'
import { refusedAs, type Scene } from './server-driver.ts'
import type { AccountName } from './settings.ts'
import type { Api, Tokens, World } from './world.ts'

/** The person under test. What their session is, a scene decides just before a call. */
export interface Subject {
  readonly api: Api
  /** A scene in which they are signed in as usual. */
  usual<I>(make: (input: I) => Promise<Scene> | Scene): (input: I) => Promise<Scene>
  /** Their session has been ended by a sign-out elsewhere: the call is refused as 401 (docs/rules/contract.md#envelope). */
  ended(check?: () => Promise<readonly string[]>): (input: unknown) => Promise<Scene>
  /** They are somebody who may not: 403, or 404 where what it is about is hidden from them. `check` reads back that nothing happened. */
  forbidden(
    check?: () => Promise<readonly string[]>,
    codes?: readonly number[],
  ): (input: unknown) => Promise<Scene>
}

export async function createSubject(world: World, account: AccountName): Promise<Subject> {
  const usual = await world.signIn(account)
  const person = world.person(usual)
  const others = new Map<string, Promise<Tokens>>()
  const once = (name: string, make: () => Promise<Tokens>): Promise<Tokens> => {
    const known = others.get(name) ?? make()
    others.set(name, known)
    return known
  }
  const over = () =>
    once('over', async () => {
      const tokens = await world.signIn(account)
      await world.person(tokens).api.session.signOut({})
      return tokens
    })
  const refused = async (
    answer: Outcome,
    kind: 'session' | 'refused',
    codes: readonly number[],
    check: (() => Promise<readonly string[]>) | undefined,
  ) => [...refusedAs(answer, kind, ...codes), ...((await check?.()) ?? [])]
  world.later('a session', async () => {
    await world.person(usual).api.session.signOut({})
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
        person.become(await once('viewer', () => world.signIn('viewer')))
        return { check: (answer) => refused(answer, 'refused', codes, check) }
      },
  }
}
