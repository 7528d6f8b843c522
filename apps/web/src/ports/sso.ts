import type { Tokens } from '@jiaowu/api/contract/session'
import type { Api } from '../app/api.ts'

const entered = new Map<string, Promise<Tokens>>()

/** Exchanges the code of a sign-on once, although React's StrictMode mounts a page twice. */
export function enterOnce(api: Api, provider: string, code: string): Promise<Tokens> {
  const running = entered.get(code) ?? api.sso.enter({ params: { provider }, body: { code } })
  entered.set(code, running)
  return running
}

/** Where the browser begins a sign-on, to come back to a page of the application. */
export function startAddress(provider: string, redirect: string): string {
  return `/api/auth/${encodeURIComponent(provider)}/start?${new URLSearchParams({ redirect }).toString()}`
}

/** The page of another window that sends the browser to the provider, to prove who the user is. */
export function provingAddress(provider: string): string {
  return `#/sso?${new URLSearchParams({ prove: provider }).toString()}`
}

const channelName = 'jiaowu-proof'

/** Hands the code of a proof to the window that asked for it. */
export function handOverProof(code: string): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(code)
  channel.close()
}

/** @returns a function that stops listening */
export function awaitProof(onCode: (code: string) => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') onCode(data)
  }
  return () => channel.close()
}

const directoryKey = 'JIAOWU_DIRECTORY'

/** Remembers which directory knows the password of the session, for a sign-in over the page. */
export const storedDirectory = {
  read: (): string | null => localStorage.getItem(directoryKey),
  write: (provider: string | null): void =>
    provider === null
      ? localStorage.removeItem(directoryKey)
      : localStorage.setItem(directoryKey, provider),
}

const providerKey = 'JIAOWU_SSO'

/** Remembers which provider the session came from, until it ends. */
export const storedProvider = {
  read: (): string | null => localStorage.getItem(providerKey),
  write: (provider: string): void => localStorage.setItem(providerKey, provider),
  forget: (): void => localStorage.removeItem(providerKey),
}
