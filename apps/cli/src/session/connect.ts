import { createClient, type Credentials } from '@jiaowu/api/client/client'
import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import type { Tokens, UserInfo } from '@jiaowu/api/contract/session'
import { createSessionGate } from '@jiaowu/machines/session/session-gate'
import {
  type FactorAnswer,
  sessionActors,
  type SessionFacts,
  type SignInInput,
} from '@jiaowu/machines/session/ports'
import { signInByTurn } from '@jiaowu/api/client/queue-place'
import { sessionMachine } from '@jiaowu/machines/session/machine'
import { sessionView } from '@jiaowu/machines/session/view'
import { arch, platform } from 'node:os'
import { type ActorRefFrom, createActor, waitFor } from 'xstate'
import packageJson from '../../package.json' with { type: 'json' }
import type { CommandLine } from '../command-line.ts'
import { countedUpload } from '../files/counted-upload.ts'
import { CommandError, toExitCode, exitCodes } from '../exit.ts'
import { tokensByDevice } from './device-sign-in.ts'
import { askForProof } from './fresh-proof.ts'
import { solveWork } from './solve-work.ts'
import type { SavedSession } from './session-file.ts'
import type { Api } from './api.ts'

export type SessionActor = ActorRefFrom<typeof sessionMachine>

/** API client and session machine of one profile. */
export interface Connection {
  readonly api: Api
  readonly session: SessionActor
  /** Credentials for a request that is none of the contract. Refreshes the session first where it must. */
  readonly authorise: () => Promise<Credentials | undefined>
}
/** The name of this program in the list of sessions. */
const userAgent = `jiaowu/${packageJson.version} (${platform()} ${arch()})`
const unknownUser: UserInfo = {
  id: '',
  account: '',
  name: '',
  roles: [],
  mustChangePassword: false,
  tenant: '',
  org: null,
}

/**
 * Starts the session of the line's profile in whatever state it is; `given` replaces the stored
 * session.
 */
export function startSession(line: CommandLine, given: SavedSession | null): Connection {
  const { server, profile, sessions, locale } = line
  const isFromToken = given !== null && given.user === unknownUser
  const stored = (): SavedSession | null => {
    const known = sessions.get(profile)
    return known?.server === server ? known.session : null
  }
  let [known, stamp] = [given ?? stored(), sessions.stamp()]
  let gate: ReturnType<typeof createSessionGate> | null = null
  let actor: SessionActor | null = null
  /** The directory of the password that was typed last, whose second factor may be asked. */
  let typedFor: string | null = null
  const remember = (saved: SavedSession) => {
    known = saved
    stamp = sessions.stamp()
    return toIssued(saved)
  }
  /** Takes over a sign-in, refresh or sign-out of another terminal. */
  const syncStored = () => {
    if (isFromToken || sessions.stamp() === stamp) return
    const now = stored()
    stamp = sessions.stamp()
    if (now?.token === known?.token) return
    known = now
    actor?.send({ type: 'storage.changed', facts: now === null ? null : toSessionFacts(now) })
  }
  const authorise = async () => {
    syncStored()
    return gate?.authorise()
  }
  const api: Api = createClient({
    baseURL: `${server}/api`,
    locale: () => locale,
    userAgent,
    upload: countedUpload,
    reauthenticate: (problem) => askForProof(line, api, problem),
    solveWork,
    authorise,
    onSessionProblem: ({ problem }) => actor?.send({ type: 'session.invalid', problem }),
  })
  const machine = sessionMachine.provide({
    actors: sessionActors({
      signIn: async (given, signal) => {
        // Over a page the person signs in where the session came from.
        const over = actor?.getSnapshot().hasTag('expired') === true ? known?.provider : null
        const provider = given.provider ?? over ?? null
        const ended = AbortSignal.any([signal, line.signal])
        if (given.factor === null) typedFor = provider
        const tokens =
          given.factor === null
            ? await signInByPassword(line, api, toPasswordGrant({ ...given, provider }), ended)
            : await api.factor.verify({ body: toFactorBody(given.factor), signal: ended })
        const saved = toSavedSession(tokens, typedFor)
        await sessions.signedIn(profile, server, saved)
        return remember(saved)
      },
      refresh: async ({ refreshToken }) =>
        remember(
          await sessions.refreshed(profile, refreshToken, async () =>
            toSavedSession(
              await api.session.signIn({
                body: { grant_type: 'refresh_token', refresh_token: refreshToken },
                signal: line.signal,
              }),
              known?.provider,
            ),
          ),
        ),
      signOut: async () => {
        await api.session.signOut({ signal: line.signal })
      },
      // Commands that show the menu or permissions load them: loading them here would delay each
      // start.
      loadProfile: () =>
        Promise.resolve({ user: known?.user ?? unknownUser, menu: [], permissions: [] }),
    }),
  })
  actor = createActor(machine, { input: { facts: known === null ? null : toSessionFacts(known) } })
  gate = createSessionGate(actor, Date.now)
  actor.start()
  return { api, session: actor, authorise }
}

function toPasswordGrant(given: SignInInput) {
  const { account, password, tenant, provider, captcha, captchaKey } = given
  return {
    grant_type: 'password' as const,
    username: account,
    password,
    ...(tenant === '' ? {} : { tenant }),
    ...(provider === null ? {} : { provider }),
    ...(captchaKey === null ? {} : { captchaKey, captcha }),
  }
}

/** Tells the place in the queue where many sign in. */
function signInByPassword(
  { locale, output }: CommandLine,
  { session }: Api,
  grant: ReturnType<typeof toPasswordGrant>,
  signal: AbortSignal,
): Promise<Tokens> {
  return signInByTurn({
    work: (waitKey) => session.signIn({ body: { ...grant, waitKey }, signal }),
    ask: (key, ended) => session.queue({ query: { key }, signal: ended }),
    tell: (place) => {
      if (place !== null) output.talk(t(locale, 'session.place', { ...place }))
    },
  })
}

/** A passkey is used in a browser (`jiaowu login --device`). */
function toFactorBody({ token, kind, code }: FactorAnswer) {
  return { token, code, kind: kind === 'recovery' ? ('recovery' as const) : ('totp' as const) }
}

function toIssued(saved: SavedSession) {
  return {
    facts: toSessionFacts(saved),
    tokens: {
      access_token: saved.token,
      refresh_token: saved.refreshToken ?? '',
      expires_in: (saved.expiresAt - Date.now()) / 1000,
      token_type: 'bearer',
      userInfo: saved.user,
    },
  }
}

function toSessionFacts({ token, refreshToken, expiresAt }: SavedSession): SessionFacts {
  return {
    version: 1,
    token,
    refreshToken,
    expiresAt,
  }
}

function toSavedSession(
  { access_token, refresh_token, expires_in, userInfo }: Tokens,
  provider?: string | null,
): SavedSession {
  return {
    token: access_token,
    refreshToken: refresh_token,
    expiresAt: Date.now() + expires_in * 1000,
    user: userInfo,
    ...(provider == null ? {} : { provider }),
  }
}

/**
 * Client of the signed-in user, from `JIAOWU_TOKEN` or from the profile's session in the token
 * file.
 * @throws CommandError (not signed in) if there is neither
 */
export function connect(line: CommandLine): Connection {
  const token = line.env.JIAOWU_TOKEN
  const connection = startSession(
    line,
    token === undefined || token === '' ? null : sessionOfToken(token),
  )
  if (connection.session.getSnapshot().context.facts === null) {
    assertProfile(line)
    throw new CommandError(exitCodes.signedOut, t(line.locale, 'cli.notSignedIn'))
  }
  return connection
}

/** @throws CommandError (usage) for a name that no profile has, with those there are */
function assertProfile({ isProfileNamed, profile, sessions, locale }: CommandLine): void {
  if (isProfileNamed !== true || sessions.get(profile) !== null) return
  const known = Object.keys(sessions.profiles()).join(' ') || '-'
  throw new CommandError(exitCodes.usage, t(locale, 'cli.noProfileBut', { name: profile, known }))
}

/** Session for `JIAOWU_TOKEN`: user and expiry are unknown here, only the server knows them. */
function sessionOfToken(token: string): SavedSession {
  return {
    token,
    refreshToken: null,
    expiresAt: Number.MAX_SAFE_INTEGER,
    user: unknownUser,
  }
}

export interface SignIn {
  readonly account: string
  readonly password: string
  readonly tenant: string
  /** The directory that knows the password; null: the server itself. */
  readonly provider: string | null
}

/**
 * Asks the user for the captcha that the server requires after failed attempts; null if no user can
 * see it.
 */
export type ReadCaptcha = (api: Api, key: string, problem: string) => Promise<string | null>

/** Asks the user for a code of the second factor; null if there is no user. @param fault of the code before */
export type ReadFactorCode = (fault: string | null) => Promise<string | null>

/**
 * Signs in and stores the session in the token file.
 * @throws CommandError with the message of the server
 */
export async function signInStaff(
  line: CommandLine,
  wanted: SignIn,
  readCaptcha: ReadCaptcha,
  readFactorCode: ReadFactorCode,
): Promise<UserInfo> {
  const { api, session } = startSession(line, null)
  // Forget an existing session here, without signing it out; the new session replaces it in the
  // file.
  session.send({ type: 'storage.changed', facts: null })
  const settle = async () =>
    sessionView(
      await waitFor(
        session,
        (s) => s.hasTag('active') || (s.hasTag('signedOut') && !s.hasTag('busy')),
      ),
    )
  for (let captcha = ''; ;) {
    session.send({ type: 'session.signIn', ...wanted, captcha })
    let view = await settle()
    while (view.factor !== null) {
      const fault = view.problem === null ? null : problemText(line.locale, view.problem)
      const code = await readFactorCode(fault)
      if (code === null)
        throw new CommandError(
          exitCodes.signedOut,
          fault ?? t(line.locale, 'cli.login.needsFactor'),
        )
      session.send({ type: 'factor.answer', ...toAnswer(code) })
      view = await settle()
    }
    if (view.user !== null) return view.user
    if (view.problem === null)
      throw new CommandError(exitCodes.signedOut, t(line.locale, 'cli.notSignedIn'))
    const message = problemText(line.locale, view.problem)
    const letters =
      view.captchaKey === null ? null : await readCaptcha(api, view.captchaKey, message)
    if (letters === null) throw new CommandError(toExitCode(view.problem), message)
    captcha = letters
  }
}

/** Six digits are a code of an app, anything else a recovery code. */
export function toAnswer(code: string) {
  const isTotp = /^\d{3}\s?\d{3}$/.test(code.trim())
  return { kind: isTotp ? ('totp' as const) : ('recovery' as const), code, remember: false }
}

/**
 * Signs in by a browser and stores the session in the token file.
 * @throws CommandError with the message of the server
 */
export async function signInByDevice(line: CommandLine): Promise<UserInfo> {
  const { api } = startSession(line, null)
  const saved = toSavedSession(await tokensByDevice(line, api))
  await line.sessions.signedIn(line.profile, line.server, saved)
  return saved.user
}

/** Ends the session on the server and removes it here, even if the call fails. */
export async function signOut(line: CommandLine): Promise<void> {
  const { session } = startSession(line, null)
  session.send({ type: 'session.signOut' })
  await waitFor(session, (s) => s.hasTag('signedOut'))
  await line.sessions.signedOut(line.profile)
}
