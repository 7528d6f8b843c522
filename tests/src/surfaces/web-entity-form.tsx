import { ApiProblem, createClient, say, t } from '@jiaowu/api'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { type App, AppContext } from '../../../apps/web/src/app/app-context.tsx'
import { EntityForm } from '../../../apps/web/src/entity/entity-form.tsx'
import type { Driver, NamedOutcome, Spec, UserStep } from '../model/index.ts'
import { formConfig, formModel } from '../models/entity-form.model.ts'

;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true

/** What a person sees of a form on the web. */
export interface WebFormSeen { readonly step: string; readonly name: string | null; readonly faults: string; readonly problem: string | null; readonly stale: string | null; readonly locked: boolean }

interface FormSnapshot { readonly value: unknown; readonly context: { readonly values: { readonly name?: unknown }; readonly config: unknown; readonly faults: Readonly<Record<string, { readonly message: Parameters<App['say']>[0] }>>; readonly problem: { readonly kind: string; readonly message: unknown } | null; readonly stale: { readonly choices: Readonly<Record<string, string>> } | null } }
const stepOf = ({ value }: FormSnapshot) => (typeof value === 'string' ? value : (value as { editing: string }).editing === 'leaving' ? 'leaving' : 'editing')
const inZh: App['say'] = (message) => (typeof message === 'string' ? message : say('zh-CN', message))

/** The form's model, seen as the web shows it. */
export const webFormModel = (...args: Parameters<typeof formModel>): Spec<WebFormSeen> => {
  const model = formModel(...args) as unknown as Spec<unknown>
  return {
    ...model,
    project: (snapshot) => {
      const s = snapshot as unknown as FormSnapshot
      const step = stepOf(s)
      const { values, faults, problem, stale } = s.context
      const shown = ['editing', 'leaving', 'saving', 'stale'].includes(step)
      return {
        step, name: shown ? String(values.name ?? '') : null, faults: shown ? Object.values(faults).map(({ message }) => inZh(message)).join() : '',
        problem: shown && problem !== null && problem.kind !== 'session' ? String(problem.message) : step === 'failed' ? String(problem?.message) : null,
        stale: step === 'stale' ? Object.entries(stale?.choices ?? {}).map(([name, side]) => `${name}:${side}`).join() : null, locked: step === 'saving',
      }
    },
  }
}

interface Held { readonly port: 'loadForm' | 'saveRow'; readonly isConfig: boolean; readonly answer: (response: Response) => void }
const envelope = (status: number, body: object) => new Response(JSON.stringify({ traceId: 't', msg: '', data: null, ...body }), { status, headers: { 'content-type': 'application/json' } })
const refusal = (error: unknown): Response => {
  if (!(error instanceof ApiProblem)) throw new Error('outcomes of the web are replies')
  const { code, message, data, issues } = error.problem
  return envelope(code > 999 ? Number(String(code).slice(0, 3)) : code, { success: false, code, msg: message, data: issues.length > 0 ? { issues } : data })
}

/** Typing as React hears it: the native setter, then the event. */
const type = (input: HTMLInputElement, text: string) => {
  // React keeps what it saw last; the same text typed again is still a gesture.
  ;(input as { _valueTracker?: { setValue: (text: string) => void } })._valueTracker?.setValue(`${text} `)
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
const button = (scope: ParentNode, text: string): HTMLButtonElement => {
  const found = [...scope.querySelectorAll('button')].find((each) => each.textContent === text)
  if (found === undefined) throw new Error(`there is no button ${text}`)
  return found
}

/** The real form of the web in a DOM, its calls held until a path settles them. */
export const webFormDriver = (): Driver<WebFormSeen> => {
  const host = document.createElement('div')
  let root: Root | null = null
  let held: Held[] = []
  let [ended, closeAsked, start] = ['', 0, 'edit']

  const fetchHeld: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    if (request.url.includes('generateId')) return Promise.resolve(envelope(200, { success: true, code: 200, data: '77' }))
    return new Promise((answer, fail) => {
      const call: Held = { port: request.method === 'GET' ? 'loadForm' : 'saveRow', isConfig: request.url.includes('/config'), answer }
      held.push(call)
      request.signal.addEventListener('abort', () => { held = held.filter((each) => each !== call); fail(request.signal.reason as Error) })
    })
  }
  const api = createClient({ baseURL: 'http://school.test/api', locale: () => 'zh-CN', fetch: fetchHeld, authorise: () => Promise.resolve({ token: 't', account: '', accountId: '' }) })
  const none = () => {}
  const app = {
    api, locale: 'zh-CN', user: null, permissions: [], can: () => true, toast: none, saveFile: () => Promise.resolve(), openTab: none, closeTab: none, setTabTitle: none, setTabDirty: none, hasUnsaved: () => false, say: inZh,
    t: ((...args: [Parameters<typeof t>[1], never]) => (t as (...all: unknown[]) => string)('zh-CN', ...args)) as App['t'],
    confirm: () => Promise.reject(new Error('forms ask by their own state')),
  } satisfies App
  const [onSaved, onLeft] = [() => { ended = 'saved' }, () => { ended = 'left' }]
  const draw = () => root?.render(<AppContext.Provider value={app}><EntityForm tag={formConfig.tag} id={start === 'add' ? null : '1'} defaults={{ faculty: '1' }} onSaved={onSaved} onLeft={onLeft} closeAsked={closeAsked} /></AppContext.Provider>)
  const rest = () => act(async () => { for (let i = 0; i < 12; i += 1) await new Promise((resolve) => { setImmediate(resolve) }) })
  const doing = async (deed: () => void) => { await act(async () => { deed() }); await rest() }
  const nameInput = () => { const found = host.querySelector<HTMLInputElement>('input[id$="-name"]'); if (found === null) throw new Error('the name cannot be typed'); return found }
  const dialog = () => { const found = document.querySelector('.jw-stale'); if (found === null) throw new Error('there is no choice between mine and theirs'); return found }
  // A question on its way out still stands in the page for the length of its transition.
  const question = () => [...document.querySelectorAll('.bp6-alert')].find((each) => each.closest('.bp6-overlay-exit, .bp6-overlay-exit-active') === null && !each.className.includes('overlay-exit')) ?? null
  const answer = (yes: boolean) => { const asked = question(); if (asked === null) throw new Error('nothing was asked'); button(asked, yes ? '确定' : '取消').click() }

  const gestures: Readonly<Record<string, (event: Record<string, unknown>) => void>> = {
    'field.change': ({ value }) => type(nameInput(), String(value)),
    'field.blur': () => { nameInput().dispatchEvent(new FocusEvent('focusout', { bubbles: true })) },
    'form.submit': () => button(host, '保存').click(),
    'form.retry': () => button(host, '重试').click(),
    'form.leave': () => { closeAsked += 1; draw() },
    'leave.confirm': () => answer(true),
    'leave.cancel': () => answer(false),
    'stale.choose': ({ side }) => { dialog().querySelectorAll<HTMLInputElement>('input[type=radio]')[side === 'mine' ? 0 : 1]?.click() },
    'stale.save': () => button(dialog(), '保存').click(),
    'stale.cancel': () => button(dialog(), '取消').click(),
  }
  const stepNow = (): string => {
    if (ended !== '') return ended
    if (question() !== null) return 'leaving'
    if (document.querySelector('.jw-stale') !== null) return 'stale'
    if (host.querySelector('form') === null) return host.querySelector('[role=status]') === null ? 'failed' : 'loading'
    return host.querySelector('button[type=submit]')?.classList.contains('bp6-loading') === true ? 'saving' : 'editing'
  }

  return {
    start: async (name) => { start = name; document.body.append(host); root = createRoot(host); await doing(draw) },
    user: async (step: UserStep) => { const gesture = gestures[step.event.type]; if (gesture === undefined) throw new Error(`no gesture for ${step.event.type}`); await doing(() => gesture(step.event as unknown as Record<string, unknown>)) },
    settle: async (port, outcome: NamedOutcome) => {
      const calls = held.filter((each) => each.port === port)
      if (calls.length === 0) throw new Error(`no call of ${port} is under way`)
      held = held.filter((each) => each.port !== port)
      const reply = ({ isConfig }: Held) => {
        if (!outcome.ok) return refusal(outcome.error)
        const output = outcome.output as { config?: unknown; row?: unknown }
        return envelope(200, { success: true, code: 200, data: port === 'saveRow' ? outcome.output : isConfig ? output.config : output.row })
      }
      await doing(() => { for (const call of calls) call.answer(reply(call)) })
    },
    advance: () => Promise.reject(new Error('the form has no timers')),
    observe: () => {
      const step = stepNow()
      const shown = ['editing', 'leaving', 'saving', 'stale'].includes(step)
      const sides = [...document.querySelectorAll('.jw-stale tbody tr')].map((line) => `${formConfig.fields.find((field) => field.uiLabel === line.querySelector('th')?.textContent)?.attrName ?? '?'}:${line.querySelectorAll<HTMLInputElement>('input')[0]?.checked === true ? 'mine' : 'theirs'}`)
      return Promise.resolve({
        step, name: shown ? nameInput().value : null, faults: shown ? [...host.querySelectorAll('.jw-field__fault')].map((each) => each.textContent).join() : '',
        problem: shown ? (host.querySelector('.jw-fault')?.textContent ?? null) : step === 'failed' ? (host.querySelector('.jw-state__title')?.textContent ?? null) : null,
        stale: step === 'stale' ? sides.join() : null, locked: step === 'saving',
      })
    },
    pending: () => [...new Set(held.map(({ port }) => port))],
    dispose: async () => { await act(async () => root?.unmount()); host.remove(); document.body.replaceChildren() },
  }
}
