import type { Issued, SessionFacts } from '@jiaowu/machines'
import { sessionPorts } from '../../../apps/web/src/ports/index.ts'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { sessionModels } from './model.ts'
import {
  no,
  ok,
  problemIn,
  refusedAs,
  refuses,
  same,
  type Scenes,
  type Stage,
} from '../../surfaces/server/server-driver.ts'
import type { ServerParts } from '../../surfaces/server/server-part.ts'
import type { AccountName } from '../../surfaces/server/settings.ts'
import type { ApiUser, Tokens, RunContext } from '../../surfaces/server/run-context.ts'

/**
 * Wrong passwords after which a server asks for a captcha (docs/rules/contract.md#student-service).
 */
const failures = 5
const issuedIn = (answer: Outcome): Issued => (answer as { output: Issued }).output

/**
 * Sessions of two users: a captcha after failed tries, a refreshed token, a session ended
 * elsewhere.
 */
export const serverSession: ServerParts = ({ run }) => {
  const { settings } = run
  const person = run.userWith({ access: '', refresh: '' })
  const known = new Map<string, Promise<Tokens>>()
  const once = (name: string, make: () => Promise<Tokens>): Promise<Tokens> => {
    const made = known.get(name) ?? make()
    known.set(name, made)
    return made
  }
  const scenes = scenesOf(run, person, once, (name, tokens) => {
    known.set(name, Promise.resolve(tokens))
  })
  let stored: Tokens = { access: 'stored', refresh: 'stored' }
  const part = (
    starts: readonly string[],
    events: readonly string[],
    signIns: readonly string[],
    profiles: readonly string[],
  ) => {
    const spec = specOf(settings, () => stored, { starts, events, signIns, profiles })
    const stage = async (): Promise<Stage> => {
      stored = await once('registrar', () => run.signIn('registrar'))
      return { ports: sessionPorts(person.api) as never, scenes }
    }
    return { spec, scenes, stage }
  }
  run.onClose('sessions', async () => {
    for (const tokens of known.values())
      await run
        .userWith(await tokens)
        .api.session.signOut({})
        .catch(() => {})
  })
  return Promise.resolve({
    coming: part(
      ['none', 'stored'],
      ['session.signIn', 'session.signOut'],
      ['first', 'picture', 'wrong'],
      ['first', 'ended'],
    ),
    staying: part(
      ['stored'],
      ['token.stale', 'profile.reload', 'session.signOut'],
      [],
      ['first', 'ended'],
    ),
    again: part(
      ['stored'],
      ['session.invalid', 'reminder.confirm', 'reminder.leave', 'session.signIn'],
      ['first', 'second', 'wrong'],
      ['first', 'second'],
    ),
  })
}

/**
 * `once`: tokens are reused, because signing in is slow by design and servers end the oldest of
 * many sessions of an account.
 */
function scenesOf(...args: Parameters<typeof sceneTools>): Scenes {
  const tools = sceneTools(...args)
  return {
    signIn: signInScenes(tools),
    refresh: refreshScenes(tools),
    signOut: signOutScenes(tools),
    loadProfile: loadProfileScenes(tools),
  }
}

type SceneTools = ReturnType<typeof sceneTools>

/** What the scenes of several ports share. */
function sceneTools(
  run: RunContext,
  person: ApiUser,
  once: (name: string, make: () => Promise<Tokens>) => Promise<Tokens>,
  keep: (name: string, tokens: Tokens) => void,
) {
  const { settings } = run
  const isOver = async (token: string) =>
    run
      .userWith({ access: token, refresh: '' })
      .api.session.whoami({})
      .then(
        () => false,
        () => true,
      )
  const as = (account: AccountName) => async (form: object) => ({
    input: {
      ...form,
      account: settings.accounts[account],
      password: settings.password,
      tenant: settings.tenant,
    },
    check: async (answer: Outcome) => {
      const { tokens, facts } = issuedIn(answer)
      const lines = [
        ...same('account', settings.accounts[account], tokens.userInfo.account),
        ...same('token_type', 'bearer', tokens.token_type.toLowerCase()),
        ...((await isOver(facts.token)) ? ['the new token is good for nothing'] : []),
      ]
      await run.userWith({ access: facts.token, refresh: '' }).api.session.signOut({})
      return lines
    },
  })
  const dead = () =>
    once('dead', async () => {
      const tokens = await run.signIn('viewer')
      await run.userWith(tokens).api.session.signOut({})
      return tokens
    })
  const profile = (account: AccountName) => async () => {
    person.become(await once(account, () => run.signIn(account)))
    return {
      check: (answer: Outcome) =>
        same(
          'account',
          settings.accounts[account],
          (answer as { output: ReturnType<typeof profileOf> }).output.user.account,
        ),
    }
  }
  return { run, settings, person, once, keep, isOver, as, dead, profile }
}

function signInScenes({ run, settings, as }: SceneTools): Scenes[string] {
  return {
    first: as('registrar'),
    second: as('viewer'),
    picture: async (form: object) => {
      const nobody = {
        grant_type: 'password',
        username: `${run.prefix}nobody`,
        password: 'wrong',
      } as const
      for (let tries = 0; tries < failures; tries += 1)
        await run.anonymous.session.signIn({ body: nobody }).catch(() => {})
      return {
        input: {
          ...form,
          account: nobody.username,
          password: nobody.password,
          tenant: settings.tenant,
        },
        check: async (answer) => {
          const key = (problemIn(answer)?.data as { captchaKey?: unknown } | null)?.captchaKey
          if (typeof key !== 'string') return ['data.captchaKey: no picture is asked for']
          return [
            ...refusedAs(answer, 'refused', 400),
            ...same(
              'type of the picture',
              'image/png',
              (await run.anonymous.session.captcha({ query: { key } })).type,
            ),
          ]
        },
      }
    },
    wrong: async (form: object) => ({
      input: {
        ...form,
        account: `${run.prefix}${Date.now()}`,
        password: 'wrong',
        tenant: settings.tenant,
      },
      check: (answer) => refusedAs(answer, 'refused', 400),
    }),
  }
}

function refreshScenes({ run, once, keep, isOver, dead }: SceneTools): Scenes[string] {
  return {
    fresh: async () => {
      const { refresh } = await once('chain', () => run.signIn('registrar'))
      return {
        input: { refreshToken: refresh },
        check: async (answer) => {
          const { facts } = issuedIn(answer)
          keep('chain', { access: facts.token, refresh: facts.refreshToken ?? '' })
          // The same token within ten seconds gets the same successor
          // (docs/rules/contract.md#sessions).
          const again = await run.anonymous.session.signIn({
            body: { grant_type: 'refresh_token', refresh_token: refresh },
          })
          return [
            ...(facts.refreshToken === refresh ? ['refresh_token: not rotated'] : []),
            ...((await isOver(facts.token)) ? ['the new token is good for nothing'] : []),
            ...same('access_token of the same refresh', facts.token, again.access_token),
          ]
        },
      }
    },
    reused: async () => ({
      input: { refreshToken: (await dead()).refresh },
      check: (answer) => refusedAs(answer, 'session'),
    }),
  }
}

function signOutScenes({ run, person }: SceneTools): Scenes[string] {
  return {
    done: async () => {
      const tokens = await run.signIn('viewer')
      person.become(tokens)
      return {
        check: async () => [
          ...(await refuses(
            'the token after signing out',
            run.userWith(tokens).api.session.whoami({}),
            401,
            40000,
            40001,
            40003,
          )),
          ...(await refuses(
            'the refresh token after signing out',
            run.anonymous.session.signIn({
              body: { grant_type: 'refresh_token', refresh_token: tokens.refresh },
            }),
            401,
            40000,
            40003,
            40006,
            40008,
          )),
        ],
      }
    },
  }
}

function loadProfileScenes({ person, dead, profile }: SceneTools): Scenes[string] {
  return {
    first: profile('registrar'),
    second: profile('viewer'),
    ended: async () => {
      person.become(await dead())
      return { check: (answer) => refusedAs(answer, 'session') }
    },
  }
}

interface Chosen {
  readonly starts: readonly string[]
  readonly events: readonly string[]
  readonly signIns: readonly string[]
  readonly profiles: readonly string[]
}

/** The model of the session with the accounts of this server. */
function specOf(
  settings: RunContext['settings'],
  storedTokens: () => Tokens,
  { starts, events, signIns, profiles }: Chosen,
): Spec<unknown> {
  const base = Object.values(sessionModels.parts)[0] as Spec<unknown>
  return {
    ...base,
    unhandled: [],
    input: only(
      { stored: () => ({ facts: factsOf(storedTokens()) }), none: () => ({ facts: null }) },
      starts,
    ) as Spec<unknown>['input'],
    events: only(base.events, events) as Spec<unknown>['events'],
    outcomes: {
      signIn: only(
        {
          first: ok(issued('registrar')),
          second: ok(issued('viewer')),
          picture: no('refused', 400, { captchaKey: 'k' }),
          wrong: no('refused', 400),
        },
        signIns,
      ) as Spec<unknown>['outcomes'][string],
      refresh: { fresh: ok(issued('registrar')), reused: no('session', 40000) },
      signOut: { done: ok(undefined) },
      loadProfile: only(
        {
          first: ok(profileOf('registrar')),
          second: ok(profileOf('viewer')),
          ended: no('session', 40000),
        },
        profiles,
      ) as Spec<unknown>['outcomes'][string],
    },
    // Tokens differ from run to run, accounts do not.
    key: (s) =>
      JSON.stringify([
        s.value,
        s.context.facts === null,
        (s.context.profile?.user.account ?? '').replace(
          /^.*$/,
          (account: string) =>
            Object.entries(settings.accounts).find(([, known]) => known === account)?.[0] ??
            account,
        ),
        s.context.problem?.kind ?? null,
        s.context.captchaKey !== null,
        s.context.ended !== null,
      ]),
  }
}

function only(all: object, names: readonly string[]) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

function issued(account: AccountName): Issued {
  return {
    facts: factsOf({ access: account, refresh: 'r' }),
    tokens: {
      access_token: account,
      refresh_token: 'r',
      expires_in: 1800,
      token_type: 'bearer',
      userInfo: profileOf(account).user,
    },
  }
}

function profileOf(account: AccountName) {
  return {
    user: {
      id: account,
      account,
      name: account,
      roles: [],
      mustChangePassword: false,
      tenant: '',
      org: null,
    },
    menu: [],
    permissions: [account],
  }
}

function factsOf({ access, refresh }: Tokens, expiresAt = 1_800_000): SessionFacts {
  return {
    version: 1,
    token: access,
    refreshToken: refresh,
    expiresAt,
  }
}
