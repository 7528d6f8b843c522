import { type Client, type contract, createClient } from '@jiaowu/api'
import type { AccountName, ServerSettings } from './settings.ts'
import { createWire, type Wire } from './wire/wire.ts'

export type Api = Client<typeof contract>
export interface Tokens {
  readonly access: string
  readonly refresh: string
}

/** A user of the server through the real client. Their session can end and be replaced. */
interface ApiUser {
  readonly api: Api
  readonly tokens: Tokens
  /** Uses these tokens from now on. */
  become(tokens: Tokens): void
}

/** What all paths of a run share: the server under test, its accounts, and the cleanup. */
export interface RunContext {
  readonly settings: ServerSettings
  readonly wire: Wire
  /** Prefix of the names of all records of this run: 8 letters and digits. */
  readonly prefix: string
  /** A client without a session. */
  readonly anonymous: Api
  signIn(account: AccountName): Promise<Tokens>
  userWith(tokens: Tokens): ApiUser
  /** A signed-in user who is not under test and acts as others do; one for the whole run. */
  helper(account: AccountName): Promise<ApiUser>
  /** Runs at the end, last added first; `close` reports failures. */
  onClose(what: string, undo: () => Promise<unknown>): void
  close(): Promise<readonly string[]>
}

/** `through` forwards to the server: the network, unless a test replaces it. */
export function openRunContext(
  settings: ServerSettings,
  through?: typeof globalThis.fetch,
): RunContext {
  const prefix = `cf${Date.now().toString(36).slice(-6)}`,
    wire = createWire(through)
  const helpers = new Map<AccountName, Promise<ApiUser>>()
  const undoing: { what: string; undo: () => Promise<unknown> }[] = []
  const clientOf = (token: () => string) =>
    createClient({
      baseURL: `${settings.url}/api`,
      locale: () => 'zh-CN',
      fetch: wire.fetch,
      authorise: () =>
        Promise.resolve(
          token() === '' ? undefined : { token: token(), account: '', accountId: '' },
        ),
    })
  const anonymous = clientOf(() => '')
  const signIn: RunContext['signIn'] = async (account) => {
    const { access_token, refresh_token } = await anonymous.session.signIn({
      body: {
        grant_type: 'password',
        username: settings.accounts[account],
        password: settings.password,
        ...(settings.tenant === '' ? {} : { tenant: settings.tenant }),
      },
    })
    return { access: access_token, refresh: refresh_token }
  }
  const userWith: RunContext['userWith'] = (first) => {
    let tokens = first
    return {
      api: clientOf(() => tokens.access),
      get tokens() {
        return tokens
      },
      become: (next) => {
        tokens = next
      },
    }
  }
  const helper: RunContext['helper'] = (account) => {
    const known = helpers.get(account) ?? signIn(account).then(userWith)
    helpers.set(account, known)
    return known
  }
  return {
    settings,
    wire,
    prefix,
    anonymous,
    signIn,
    userWith,
    helper,
    onClose: (what, undo) => {
      undoing.push({ what, undo })
    },
    close: async () => {
      const failed: string[] = []
      for (const { what, undo } of undoing.splice(0).reverse())
        await undo().catch((error: unknown) =>
          failed.push(`${what} is left on the server: ${String(error)}`),
        )
      for (const known of helpers.values())
        await known.then(({ api }) => api.session.signOut({})).catch(() => {})
      wire.takeFaults()
      return failed
    },
  }
}

/** Makes something when it is first needed, and gives the same to everyone. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
