import type { FileReply } from '@jiaowu/api/endpoint'
import { createClient } from '@jiaowu/api/client/client'
import { createFreshProof, type FreshProof } from '@jiaowu/api/client/fresh-proof'
import type { Locale } from '@jiaowu/api/locale'
import { limits } from '@jiaowu/api/limits'
import type { MenuNode, Tokens } from '@jiaowu/api/contract/session'
import { parseJson } from '@jiaowu/api/exact-json'
import { signInByTurn } from '@jiaowu/api/client/queue-place'
import { createSessionGate } from '@jiaowu/machines/session/session-gate'
import {
  type FactorAnswer,
  type Issued,
  sessionActors,
  type SessionFacts,
  type SessionPorts,
} from '@jiaowu/machines/session/ports'
import {
  type sessionMachine as SessionMachine,
  sessionMachine,
} from '@jiaowu/machines/session/machine'
import type { TagsFacts } from '@jiaowu/machines/tags/machine'
import * as v from 'valibot'
import { type ActorRefFrom, createActor } from 'xstate'
import type { Api } from '../app/api.ts'
import { fetchNoting } from '../app/new-build.ts'
import { tellPlace } from './queue-place.ts'
import { storedDirectory, storedProvider } from './sso.ts'
import { uploadFetch } from './upload.ts'

export type SessionActor = ActorRefFrom<typeof SessionMachine>

/** Storage keys of the spec, with the product's prefix (docs/spec/1-entity-console.md §9). */
const keys = {
  token: 'JIAOWU_TOKEN',
  refresh: 'JIAOWU_REFRESH_TOKEN',
  tenant: 'JIAOWU_TENANT',
  expires: 'JIAOWU_EXPIRE_TIME',
  user: 'JIAOWU_USER',
  permissions: 'JIAOWU_PERMISSIONS',
  router: 'JIAOWU_USER_ROUTER',
} as const
const tagsKey = 'JIAOWU_TAGS'

export function readFacts(): SessionFacts | null {
  const token = localStorage.getItem(keys.token)
  const expiresAt = Number(localStorage.getItem(keys.expires))
  return token === null || !Number.isFinite(expiresAt)
    ? null
    : { version: 1, token, refreshToken: localStorage.getItem(keys.refresh), expiresAt }
}

export function writeFacts({ token, refreshToken, expiresAt }: SessionFacts): void {
  localStorage.setItem(keys.token, token)
  localStorage.setItem(keys.expires, String(expiresAt))
  if (refreshToken === null) localStorage.removeItem(keys.refresh)
  else localStorage.setItem(keys.refresh, refreshToken)
}

const tagsFacts = v.object({
  version: v.literal(1),
  active: v.string(),
  tags: v.array(v.object({ key: v.optional(v.string()), path: v.string(), title: v.string() })),
})

export function readTags(): TagsFacts | null {
  try {
    const parsed = v.safeParse(tagsFacts, parseJson(sessionStorage.getItem(tagsKey) ?? 'null'))
    return parsed.success ? parsed.output : null
  } catch {
    return null // not JSON: another program's, or damaged
  }
}

export function writeTags(facts: TagsFacts): void {
  return sessionStorage.setItem(tagsKey, JSON.stringify(facts))
}

/** Answers a second factor; a passkey is asked of the browser. */
async function answerFactor(
  api: Api,
  { token, kind, code, remember }: FactorAnswer,
  signal: AbortSignal,
): Promise<Tokens> {
  if (kind !== 'passkey')
    return await api.factor.verify({ body: { token, kind, code, remember }, signal })
  const { options } = await api.factor.challenge({ body: { token }, signal })
  const { signWithPasskey } = await import('./passkeys.ts')
  const response = await signWithPasskey(options)
  return await api.factor.verify({ body: { token, kind, response, remember }, signal })
}

/** The calls of the session machine. */
export function sessionPorts(api: Api): SessionPorts {
  return {
    signIn: async (
      { account, password, tenant, provider, captcha, captchaKey, factor },
      signal,
    ) => {
      if (factor !== null) return toIssuedSession(await answerFactor(api, factor, signal))
      const tokens = await signInByTurn({
        work: (waitKey) =>
          api.session.signIn({
            body: {
              grant_type: 'password',
              username: account,
              password,
              waitKey,
              ...(tenant === '' ? {} : { tenant }),
              ...(provider === null ? {} : { provider }),
              ...(captchaKey === null ? {} : { captchaKey, captcha }),
            },
            signal,
          }),
        ask: (key, ended) => api.session.queue({ query: { key }, signal: ended }),
        tell: tellPlace,
      })
      return toIssuedSession(tokens)
    },
    refresh: async ({ refreshToken }, signal) =>
      toIssuedSession(
        await api.session.signIn({
          body: { grant_type: 'refresh_token', refresh_token: refreshToken },
          signal,
        }),
      ),
    signOut: async (_input, signal) => {
      await api.session.signOut({ signal })
    },
    loadProfile: async (_input, signal) => {
      const [user, menu, resources] = await Promise.all([
        api.session.whoami({ signal }),
        api.session.menu({ signal }),
        api.session.resources({ signal }),
      ])
      return {
        user,
        menu: menu as readonly MenuNode[],
        permissions: resources.map(({ code }) => code),
      }
    },
  }
}

function toIssuedSession(tokens: Tokens): Issued {
  return { tokens, facts: createSessionFacts(tokens) }
}

/** Tokens as the session stores them. */
export function createSessionFacts({
  access_token,
  refresh_token,
  expires_in,
}: Tokens): SessionFacts {
  return {
    version: 1,
    token: access_token,
    refreshToken: refresh_token,
    expiresAt: Date.now() + expires_in * 1000,
  }
}

export interface Surface {
  readonly api: Api
  readonly session: SessionActor
  readonly proof: FreshProof
}

/** Builds the client and the session, which depend on each other. */
export function createSurface(
  locale: () => Locale,
  { baseURL = '/api', fetch }: { baseURL?: string; fetch?: typeof globalThis.fetch } = {},
): Surface {
  let gate: ReturnType<typeof createSessionGate> | null = null
  let session: SessionActor | null = null
  const proof = createFreshProof()
  const api = createClient({
    baseURL,
    locale,
    ...(fetch === undefined ? { fetch: fetchNoting, upload: uploadFetch } : { fetch }),
    authorise: async () => gate?.authorise(),
    reauthenticate: () => proof.ask(),
    solveWork: async (work, signal) =>
      await (await import('./solve-in-worker.ts')).solveInWorker(work, signal),
    onSessionProblem: ({ problem }) => session?.send({ type: 'session.invalid', problem }),
  })
  const machine = sessionMachine.provide({ actors: sessionActors(sessionPorts(api)) })
  session = createActor(machine, { input: { facts: readFacts() } })
  gate = createSessionGate(session, Date.now)
  session.on('facts', ({ facts }) => {
    if (facts === null) forgetSession()
    else writeFacts(facts)
  })
  session.subscribe(({ context: { profile } }) => {
    if (profile === null) return
    const { id, name, account, tenant } = profile.user
    localStorage.setItem(keys.user, JSON.stringify({ id, name, account }))
    localStorage.setItem(keys.tenant, tenant)
    localStorage.setItem(keys.permissions, JSON.stringify(profile.permissions))
    localStorage.setItem(
      keys.router,
      JSON.stringify(profile.menu.map(({ name: title, path }) => ({ title, path }))),
    )
  })
  return { api, session, proof }
}

/**
 * Removes the session's data in all tabs; the settings of the browser stay
 * (docs/spec/1-entity-console.md §4).
 */
function forgetSession(): void {
  for (const key of Object.values(keys)) localStorage.removeItem(key)
  storedProvider.forget()
  storedDirectory.write(null)
  sessionStorage.clear()
}

/**
 * Follows sign-in, refresh and sign-out of other tabs.
 * @param hasUnsaved whether this tab has input that is not stored
 * @returns a function that ends the watch
 */
export function watchOtherTabs(session: SessionActor, hasUnsaved: () => boolean): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === keys.token || key === null)
      session.send({ type: 'storage.changed', facts: readFacts(), unsaved: hasUnsaved() })
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

/** Downloads a file and saves it under its name. @param onProgress bytes received so far */
export async function saveFile(
  file: FileReply,
  fallbackName: string,
  onProgress: (bytes: number) => void = () => {},
  signal?: AbortSignal,
): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = file.stream.getReader()
  const stop = () => {
    reader.cancel().catch(() => {})
  } // the read loop reports the abort
  signal?.addEventListener('abort', stop)
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value as Uint8Array<ArrayBuffer>)
    bytes += part.value.byteLength
    onProgress(bytes)
  }
  signal?.removeEventListener('abort', stop)
  signal?.throwIfAborted()
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(parts, { type: file.type }))
  link.download = file.name === '' ? fallbackName : file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), limits.lastingToast)
}
