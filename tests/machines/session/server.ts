import type {
  Issued,
  Profile,
  SessionFacts,
  SessionPorts,
  SignInInput,
} from '@jiaowu/machines/session/ports'
import { sessionPorts } from '../../../apps/web/src/ports/index.ts'
import { type Faults, isRefused, must, expectSame } from '../../surfaces/server/checks.ts'
import { answers, type CallOf, refuses } from '../../surfaces/server/endings.ts'
import { makeOnce, type RunContext, type Tokens } from '../../surfaces/server/run-context.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import type { AccountName } from '../../surfaces/server/settings.ts'
import { endedSession } from '../../surfaces/server/subject.ts'
import { sessionModels } from './model.ts'

/**
 * Wrong passwords after which a server asks for a captcha (docs/rules/contract.md#student-service).
 */
const failures = 5

/**
 * Sessions of two users: a captcha after failed tries, a refreshed token, a session ended
 * elsewhere.
 */
export const serverSession: ServerParts = ({ run }) => {
  const desk = createDesk(run)
  let tokens: Tokens = { access: 'stored', refresh: 'stored' }
  const stored = () => ({ facts: toSessionFacts(tokens) })
  const none = () => ({ facts: null })
  return buildServerParts({
    model: sessionModels,
    ports: sessionPorts(desk.person.api),
    calls: {
      signIn: buildSignInCall(desk),
      refresh: refresh(desk),
      signOut: signOut(desk),
      loadProfile: loadProfile(desk),
    },
    before: async () => {
      ;({ tokens } = await desk.sessions.registrar())
    },
    // Tokens differ from run to run, accounts do not.
    key: ({ value, context: c }) => [
      value,
      c.facts === null,
      Object.entries(desk.accounts).find(([, known]) => known === c.profile?.user.account)?.[0],
      c.problem?.kind ?? null,
      c.captchaKey !== null,
      c.factor !== null,
      c.ended !== null,
    ],
    start: { stored },
    parts: {
      coming: {
        start: { stored, none },
        events: 'session.signIn, session.signOut',
        ends: 'signIn(first, picture, wrong), loadProfile(first, ended)',
      },
      staying: {
        events: 'token.stale, profile.reload, session.signOut',
        ends: 'signIn(), loadProfile(first, ended)',
      },
      again: {
        events: 'session.invalid, reminder.confirm, reminder.leave, session.signIn',
        ends: 'signIn(first, second, wrong), loadProfile(first, second)',
      },
    },
  })
}

type Call<Name extends keyof SessionPorts> = CallOf<SessionPorts, Name>
type Desk = ReturnType<typeof createDesk>

/**
 * The user under test and tokens that are reused, because signing in is slow by design and servers
 * end the oldest of many sessions of an account.
 */
function createDesk(run: RunContext) {
  const { accounts } = run.settings
  const signedIn = (account: AccountName) =>
    makeOnce(async () => {
      const session = { tokens: await run.signIn(account) }
      run.onClose('a session', async () =>
        run
          .userWith(session.tokens)
          .api.session.signOut({})
          .catch(() => {}),
      )
      return session
    })
  return {
    run,
    accounts,
    person: run.userWith({ access: '', refresh: '' }),
    sessions: { registrar: signedIn('registrar'), viewer: signedIn('viewer') },
    /** A session that is refreshed again and again. */
    chain: signedIn('registrar'),
    dead: makeOnce(() => endedSession(run, 'viewer')),
    isGood: async (token: string): Promise<Faults> => {
      const { api } = run.userWith({ access: token, refresh: '' })
      return api.session.whoami({}).then(
        () => [],
        () => ['the new token is good for nothing'],
      )
    },
  }
}

function buildSignInCall({ run, accounts, isGood }: Desk): Call<'signIn'> {
  const { password, tenant } = run.settings
  const as = (account: AccountName): Call<'signIn'>[string] =>
    answers(issueAccountSession(account), (form) => ({
      input: { ...form, account: accounts[account], password, tenant },
      check: async ({ tokens, facts }) => {
        const good = await isGood(facts.token)
        await run.userWith({ access: facts.token, refresh: '' }).api.session.signOut({})
        return [
          expectSame('account', accounts[account], tokens.userInfo.account),
          expectSame('token_type', 'bearer', tokens.token_type.toLowerCase()),
          good,
        ]
      },
    }))
  const wrong = (form: SignInInput, account: string) => ({
    input: { ...form, account, password: 'wrong', tenant },
  })
  return {
    first: as('registrar'),
    second: as('viewer'),
    picture: refuses({ codes: 400, data: () => ({ captchaKey: 'k' }) }, async (form) => {
      const username = `${run.prefix}nobody`
      const body = { grant_type: 'password', username, password: 'wrong' } as const
      for (let tries = 0; tries < failures; tries += 1)
        await run.anonymous.session.signIn({ body }).catch(() => {})
      return {
        ...wrong(form, username),
        check: async ({ data }) => {
          const key = (data as { captchaKey?: unknown } | null)?.captchaKey
          if (typeof key !== 'string') return ['data.captchaKey: no picture is asked for']
          const { type } = await run.anonymous.session.captcha({ query: { key } })
          return expectSame('type of the picture', 'image/png', type)
        },
      }
    }),
    wrong: refuses(400, (form) => wrong(form, `${run.prefix}${Date.now()}`)),
  }
}

function refresh({ run, chain, isGood, dead }: Desk): Call<'refresh'> {
  return {
    fresh: answers(issueAccountSession('registrar'), async () => {
      const session = await chain(),
        { refresh: refreshToken } = session.tokens
      return {
        input: { refreshToken },
        check: async ({ facts }) => {
          session.tokens = { access: facts.token, refresh: facts.refreshToken ?? '' }
          // The same token within ten seconds gets the same successor
          // (docs/rules/contract.md#sessions).
          const again = await run.anonymous.session.signIn({
            body: { grant_type: 'refresh_token', refresh_token: refreshToken },
          })
          return [
            must(facts.refreshToken !== refreshToken, 'refresh_token: not rotated'),
            isGood(facts.token),
            expectSame('access_token of the same refresh', facts.token, again.access_token),
          ]
        },
      }
    }),
    reused: refuses(40000, async () => ({ input: { refreshToken: (await dead()).refresh } })),
  }
}

function signOut({ run, person }: Desk): Call<'signOut'> {
  return {
    done: answers(undefined, async () => {
      const tokens = await run.signIn('viewer')
      person.become(tokens)
      const whoami = () => run.userWith(tokens).api.session.whoami({})
      const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh } as const
      return {
        check: () => [
          isRefused('the token after signing out', whoami(), [401, 40000, 40001, 40003]),
          isRefused(
            'the refresh token after signing out',
            run.anonymous.session.signIn({ body }),
            [401, 40000, 40003, 40006, 40008],
          ),
        ],
      }
    }),
  }
}

function loadProfile({ accounts, person, sessions, dead }: Desk): Call<'loadProfile'> {
  const of = (account: 'registrar' | 'viewer'): Call<'loadProfile'>[string] =>
    answers(buildProfile(account), async () => {
      person.become((await sessions[account]()).tokens)
      return { check: ({ user }) => expectSame('account', accounts[account], user.account) }
    })
  return {
    first: of('registrar'),
    second: of('viewer'),
    ended: refuses(40000, async () => person.become(await dead())),
  }
}

function issueAccountSession(account: AccountName): Issued {
  return {
    facts: toSessionFacts({ access: account, refresh: 'r' }),
    tokens: {
      access_token: account,
      refresh_token: 'r',
      expires_in: 1800,
      token_type: 'bearer',
      userInfo: buildProfile(account).user,
    },
  }
}

function buildProfile(account: AccountName): Profile {
  const user = { id: account, account, name: account, roles: [], tenant: '', org: null }
  return { user: { ...user, mustChangePassword: false }, menu: [], permissions: [account] }
}

function toSessionFacts({ access, refresh }: Tokens): SessionFacts {
  return { version: 1, token: access, refreshToken: refresh, expiresAt: 1_800_000 }
}
