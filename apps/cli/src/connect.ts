import { type Client, contract, createClient, type Credentials, limits, t, type Tokens, type UserInfo } from '@jiaowu/api'
import type { CommandLine } from './command-line.ts'
import { CommandError, exitCodes } from './exit.ts'
import type { SavedSession } from './session-file.ts'

type Api = Client<typeof contract>

const savedOf = ({ access_token, refresh_token, expires_in, userInfo }: Tokens): SavedSession => ({
  token: access_token, refreshToken: refresh_token, expiresAt: Date.now() + expires_in * 1000,
  account: userInfo.account, accountId: userInfo.id, name: userInfo.name, tenant: userInfo.tenant,
})
const credentialsOf = ({ token, account, accountId }: SavedSession): Credentials => ({ token, account, accountId })

const build = ({ server, locale }: CommandLine, authorise: () => Promise<Credentials | undefined>): Api => createClient({ baseURL: `${server}/api`, locale: () => locale, authorise })
const anonymous = (line: CommandLine): Api => build(line, () => Promise.resolve(undefined))

/**
 * The client of the signed-in person: `JIAOWU_TOKEN`, or the token file; refreshed once, for all parallel calls, when less than
 * 5 minutes are left (console spec §4).
 * @throws CommandError (not signed in) when there is neither
 */
export const connect = (line: CommandLine): { api: Api } => {
  const { env, sessions, server, locale } = line
  const given = env.JIAOWU_TOKEN
  if (given !== undefined && given !== '') return { api: build(line, () => Promise.resolve({ token: given, account: '', accountId: '' })) }
  const saved = sessions.get(server)
  if (saved === null) throw new CommandError(exitCodes.signedOut, t(locale, 'cli.notSignedIn'))
  let current: Promise<SavedSession> = Promise.resolve(saved)
  const refreshed = async (old: SavedSession): Promise<SavedSession> => {
    if (old.refreshToken === null || old.expiresAt - Date.now() > limits.refreshThreshold) return old
    const fresh = savedOf(await anonymous(line).session.signIn({ body: { grant_type: 'refresh_token', refresh_token: old.refreshToken }, signal: line.signal }))
    sessions.save(server, fresh)
    return fresh
  }
  return { api: build(line, async () => { current = current.then(refreshed); return credentialsOf(await current) }) }
}

/** Signs in and keeps the session in the token file. */
export const signIn = async (line: CommandLine, grant: { username: string; password: string; tenant?: string }): Promise<UserInfo> => {
  const tokens = await anonymous(line).session.signIn({ body: { grant_type: 'password', ...grant }, signal: line.signal })
  line.sessions.save(line.server, savedOf(tokens))
  return tokens.userInfo
}

/** Ends the session at the server and forgets it here, even when the call fails (machines: sign-out clears everything). */
export const signOut = async (line: CommandLine): Promise<void> => {
  if (line.sessions.get(line.server) === null) return
  try {
    await connect(line).api.session.signOut({ signal: line.signal })
  } finally {
    line.sessions.forget(line.server)
  }
}
