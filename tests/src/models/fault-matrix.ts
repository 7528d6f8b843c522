import { ApiProblem, createClient, type Problem, problemOf, problemText, timeoutProblem } from '@jiaowu/api'
import { expect } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { createModel, explore, type NamedOutcome, type Spec, type Step } from '../model/index.ts'
import type { World } from '../model/model.ts'

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const html = (status: number) => new Response('<!doctype html><title>proxy</title>', { status, headers: { 'content-type': 'text/html' } })

/** What can come instead of an answer, before the client has made a problem of it. */
const replies: Readonly<Record<string, () => Promise<Response>>> = {
  offline: () => Promise.reject(new TypeError('fetch failed')),
  500: async () => json(500, { success: false, code: 500, msg: '系统维护中，请稍后再试', data: null }),
  401: async () => json(401, { success: false, code: 40001, msg: '登录已过期', data: null }),
  html: async () => html(200),
  html502: async () => html(502),
}
export const faultNames = ['timeout', ...Object.keys(replies)]

/** The problems as the real client makes them of these replies, and the one it makes when none comes within its time. */
export const faults = async (): Promise<Readonly<Record<string, ApiProblem>>> => {
  const problems = await Promise.all(Object.keys(replies).map(async (name) => {
    const api = createClient({ baseURL: 'http://school.test/api', locale: () => 'zh-CN', authorise: async () => ({ token: 't', account: '', accountId: '' }), fetch: () => replies[name]?.() ?? Promise.reject(new Error(name)) })
    const failed: unknown = await api.student.detail({}).then(() => null, (error: unknown) => error)
    if (!(failed instanceof ApiProblem)) throw new Error(`${name} did not become a problem`)
    return [name, failed] as const
  }))
  return { timeout: timeoutProblem(), ...Object.fromEntries(problems) }
}

const failing = (id: string, port: string, name: string, error: ApiProblem): Step => {
  const outcome: NamedOutcome = { name, ok: false, error }
  return { kind: 'settle', label: `${port} → ${name}`, port, outcome, event: { type: `xstate.error.actor.${id}`, error, actorId: id } as never }
}

/** What a surface shows of a failure: the problem of the view, wherever it is. */
export type Shown = (world: World) => Problem | null
export interface Cell { readonly port: string; readonly fault: string; readonly state: string }
/** Calls whose failure is followed by another question instead of a message, with the reason. */
export type Silent = Readonly<Record<string, string>>

/**
 * Each call that can be under way, in each state where it is, meets each fault. After it the machine is alive, nothing is busy that nobody
 * ends, and the person sees the sentence of this very fault, in both languages; or the port is excused in `silent`.
 */
export const faultMatrix = async <Seen>(spec: Spec<Seen>, shown: Shown, silent: Silent = {}): Promise<Cell[]> => {
  const model = createModel(spec)
  const problems = await faults()
  const cells: Cell[] = []
  for (const { world, state } of explore(spec, 400).nodes) for (const { id, port } of world.waiting) for (const [fault, error] of Object.entries(problems)) {
    const at = `${port} meets ${fault} in ${state}`
    const after = model.step(world, failing(id, port, fault, error)).world
    expect(after.snapshot.status, at).not.toBe('error')
    expect(model.steps(after).length > 0 || after.snapshot.status === 'done', `${at}: a way on`).toBe(true)
    const seen = shown(after)
    if (!(port in silent) && after.snapshot.status === 'active') {
      expect(seen, `${at}: the person sees it`).toEqual(problemOf(error))
      if (seen !== null) for (const locale of ['zh-CN', 'en'] as const) expect(problemText(locale, seen).length, at).toBeGreaterThan(3)
    }
    cells.push({ port, fault, state })
  }
  return cells
}

/** Every port of the machine was met. */
export const portsOf = (machine: AnyStateMachine): string[] => Object.entries(machine.implementations.actors).filter(([, logic]) => typeof logic === 'object' && logic !== null && !('root' in logic)).map(([name]) => name).sort()
