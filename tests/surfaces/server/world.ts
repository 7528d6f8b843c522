import { type Client, type contract, createClient } from '@jiaowu/api'
import type { AccountName, ServerSettings } from './settings.ts'
import { createWire, type Wire } from './wire.ts'

export type Api = Client<typeof contract>
export interface Tokens {
  readonly access: string
  readonly refresh: string
}

/** Somebody who uses the server through the real client. Their session can end, and another can take their place. */
export interface Person {
  readonly api: Api
  readonly tokens: Tokens
  /** From now on with these tokens. */
  become(tokens: Tokens): void
}

/** What all paths of a run share: the server under test, the accounts on it, and what to clean up there. */
export interface World {
  readonly settings: ServerSettings
  readonly wire: Wire
  /** Begins the names of everything this run makes; letters and digits, 8 of them. */
  readonly run: string
  /** A client without a session. */
  readonly stranger: Api
  signIn(account: AccountName): Promise<Tokens>
  person(tokens: Tokens): Person
  /** Somebody signed in as this account who is not under test: arranges what others do. One for the whole run. */
  helper(account: AccountName): Promise<Person>
  /** Done when the run is over, last first. What fails is told by `close`. */
  later(what: string, undo: () => Promise<unknown>): void
  close(): Promise<readonly string[]>
}

/** `through` is the way to the server: the network, unless a test has another. */
export function openWorld(settings: ServerSettings, through?: typeof globalThis.fetch): World {
  const run = `cf${Date.now().toString(36).slice(-6)}`,
    wire = createWire(through)
  const helpers = new Map<AccountName, Promise<Person>>()
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
  const stranger = clientOf(() => '')
  const signIn: World['signIn'] = async (account) => {
    const { access_token, refresh_token } = await stranger.session.signIn({
      body: {
        grant_type: 'password',
        username: settings.accounts[account],
        password: settings.password,
        ...(settings.tenant === '' ? {} : { tenant: settings.tenant }),
      },
    })
    return { access: access_token, refresh: refresh_token }
  }
  const person: World['person'] = (first) => {
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
  const helper: World['helper'] = (account) => {
    const known = helpers.get(account) ?? signIn(account).then(person)
    helpers.set(account, known)
    return known
  }
  return {
    settings,
    wire,
    run,
    stranger,
    signIn,
    person,
    helper,
    later: (what, undo) => {
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
