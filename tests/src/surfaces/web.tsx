import { ApiProblem, createClient } from '@jiaowu/api'
import type { ReactElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router-dom'
import { AppProvider } from '../../../apps/web/src/app/provider.tsx'
import { changeSettings } from '../../../apps/web/src/app/settings.ts'
import type { Driver, NamedOutcome, UserStep } from '../model/index.ts'
import { Absent, fillGaps, rest } from './dom.ts'
import { type Asked, type HeldFetch, heldFetch, type PortCall, refusedWith } from './held-fetch.ts'

/** One real page of the console as a surface of its machine. */
export interface Screen<Seen> {
  /** The page, as the machine's input of this start says. */
  element(start: string): ReactElement
  callOf(asked: Asked, start: string): PortCall | null
  background(asked: Asked): unknown
  /** The reply that makes the port's call end so. */
  reply(port: string, outcome: NamedOutcome & { ok: true }, asked: Asked): Response
  /** Calls that end in some other way than by one reply; true when it was done here. */
  end?(held: HeldFetch, port: string, outcome: NamedOutcome): boolean
  user(step: UserStep, held: HeldFetch): unknown
  read(): Seen
  /** Effects besides calls, since the last time. */
  told?(): string[]
}

const problemIn = ({ ok, ...rest_ }: NamedOutcome): ApiProblem => {
  const { error } = rest_ as { error?: unknown }
  if (ok || !(error instanceof ApiProblem)) throw new Error('only ApiProblems can come over the wire')
  return error
}

/**
 * Drives a page of the console through a path: the real component, the real client, the real providers, in an emulated browser. Only
 * `fetch` is held. `observe` reads the document, never the machine.
 */
export const webDriver = <Seen,>(screen: Screen<Seen>): Driver<Seen> => {
  let root: Root | null = null
  let startedAs = ''
  const held = heldFetch((asked) => screen.callOf(asked, startedAs), screen.background)
  return {
    start: async (start) => {
      startedAs = start
      fillGaps()
      localStorage.clear()
      changeSettings({ locale: 'zh-CN' })
      const api = createClient({ baseURL: '/api', fetch: held.fetch, locale: () => 'zh-CN', authorise: async () => ({ token: 't', account: 'admin', accountId: '1' }) })
      const place = document.body.appendChild(document.createElement('div'))
      root = createRoot(place)
      const user = { id: '1', account: 'admin', name: '甲', roles: [], mustChangePassword: false, tenant: '10000', org: null }
      await rest(() => root?.render(<MemoryRouter><AppProvider api={api} user={user} permissions={['ALL_PERMISSION']} sendTags={() => {}} hasUnsaved={() => false}>{screen.element(start)}</AppProvider></MemoryRouter>))
    },
    user: async (step) => {
      try { await rest(() => screen.user(step, held)) } catch (error) { if (!(error instanceof Absent && step.sneak)) throw error }
      await rest()
    },
    settle: async (port, outcome) => {
      await rest(() => {
        if (screen.end?.(held, port, outcome) === true) return
        held.settle(port, (asked) => (outcome.ok ? screen.reply(port, outcome, asked) : refusedWith(problemIn(outcome))))
      })
    },
    advance: async () => { throw new Error('this machine has no timers') },
    observe: async () => screen.read(),
    effects: () => [...held.started(), ...(screen.told?.() ?? [])],
    pending: () => held.pending(),
    dispose: async () => { await rest(() => root?.unmount()); document.body.innerHTML = '' },
  }
}
