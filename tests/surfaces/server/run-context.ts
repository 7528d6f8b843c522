import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { createClient } from '@jiaowu/api/client/client'
import type { AccountName, ServerSettings } from './settings.ts'
import { createWire } from './wire/wire.ts'

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

/** State that all paths of a run share: the server under test, its accounts, and the cleanup. */
export type RunContext = ReturnType<typeof openRunContext>

/** `through` forwards to the server: the network, unless a test replaces it. */
export function openRunContext(settings: ServerSettings, through?: typeof globalThis.fetch) {
  const wire = createWire(through)
  const undoing: { what: string; undo: () => Promise<unknown> }[] = []
  const clientOf = (token: () => string) =>
    createClient({
      baseURL: `${settings.url}/api`,
      locale: () => 'zh-CN',
      fetch: wire.fetch,
      authorise: async () =>
        token() === '' ? undefined : { token: token(), account: '', accountId: '' },
    })
  const anonymous = clientOf(() => '')
  const signIn = async (account: AccountName): Promise<Tokens> => {
    const { tenant, password, accounts } = settings
    const signedIn = await anonymous.session.signIn({
      body: {
        grant_type: 'password',
        username: accounts[account],
        password,
        ...(tenant === '' ? {} : { tenant }),
      },
    })
    return { access: signedIn.access_token, refresh: signedIn.refresh_token }
  }
  const userWith = (first: Tokens): ApiUser => {
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
  const helpers = new Map<AccountName, Promise<ApiUser>>()
  return {
    settings,
    wire,
    /** Prefix of the names of all records of this run: 8 letters and digits. */
    prefix: `cf${Date.now().toString(36).slice(-6)}`,
    /** A client without a session. */
    anonymous,
    signIn,
    userWith,
    /** A signed-in user who is not under test and acts as others do; one for the whole run. */
    helper: (account: AccountName): Promise<ApiUser> => {
      const known = helpers.get(account) ?? signIn(account).then(userWith)
      helpers.set(account, known)
      return known
    },
    /** Runs at the end, last added first; `close` reports failures. */
    onClose: (what: string, undo: () => Promise<unknown>) => {
      undoing.push({ what, undo })
    },
    close: async (): Promise<readonly string[]> => {
      const failed: string[] = []
      for (const { what, undo } of undoing.splice(0).reverse())
        await undo().catch((error: unknown) =>
          failed.push(`${what} is left on the server: ${String(error)}`),
        )
      for (const helper of helpers.values())
        await helper.then(({ api }) => api.session.signOut({})).catch(() => {})
      wire.takeFaults()
      return failed
    },
  }
}

/** Makes something when it is first needed, and gives the same to everyone. */
export function makeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
