import { type ApiProblem, type Locale, type MenuNode, t, type TextKey } from '@jiaowu/api'
import {
  type Issued,
  type Profile,
  type SessionEvent,
  type SessionFacts,
  type sessionMachine,
} from '@jiaowu/machines'
import type { EventObject, SnapshotFrom } from 'xstate'
import { changeSettings } from '../../../apps/web/src/shell/context/settings.ts'
import { startConsole } from '../../../apps/web/src/console.tsx'
// Preloaded: a lazy import would finish after the screen has come to rest.
import '../../../apps/web/src/shell/not-found-page.tsx'
import { readFacts, type Surface } from '../../../apps/web/src/ports/index.ts'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import type { SessionSeen } from './model.ts'
import {
  all,
  Absent,
  click,
  enter,
  find,
  need,
  offers,
  press,
  textOf,
  usable,
} from '../../surfaces/web/dom.ts'
import { setClockAhead } from '../../surfaces/web/frozen-time.ts'
import { answered, type Asked, type PortCall, refusedWith } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, type Screen } from '../../surfaces/web/screen.tsx'

/**
 * What the page shows of the session, and what it offers. `kept` is the token in the browser's
 * storage.
 */
export interface SessionScreen {
  readonly words: string
  readonly shows: 'wait' | 'signIn' | 'failed' | 'inside'
  readonly over: 'reminder' | 'form' | null
  readonly isBusy: boolean
  readonly person: string | null
  readonly menu: string
  readonly problem: string | null
  readonly ended: string | null
  readonly picture: string | null
  readonly kept: string | null
  readonly offers: string
}

type Snapshot = SnapshotFrom<typeof sessionMachine>
const isSignedOut = (s: Snapshot) => s.hasTag('signedOut')
const isOver = (s: Snapshot) => s.hasTag('expired')
const isInside = (s: Snapshot) => s.hasTag('active') || isOver(s)
const hasFailed = (s: Snapshot) => s.matches({ present: { profile: 'failed' } })
/** A sentence in the page's language. */
const languageNow = () => document.documentElement.lang as Locale
const textIn = (key: TextKey): string => t(languageNow(), key as 'common.ok')

/**
 * The session's model on the whole console: its menu shows the rights, and a captcha is answered
 * when there is one.
 */
export function sessionOnScreen(spec: Spec<SessionSeen>): Spec<SessionScreen> {
  return {
    ...spec,
    project: project as unknown as Spec<SessionScreen>['project'],
    covered: covered as unknown as NonNullable<Spec<SessionScreen>['covered']>,
    events: { ...spec.events, 'session.signIn': {} },
    pick: (s) =>
      Object.keys(spec.events['session.signIn'] ?? {}).length === 0
        ? {}
        : {
            'session.signIn': {
              form: {
                account: 'a',
                password: 'p',
                tenant: '',
                captcha: (s as unknown as Snapshot).context.captchaKey === null ? '' : 'c',
              },
            },
          },
    outcomes: { ...spec.outcomes, loadProfile: withMenu(spec.outcomes.loadProfile ?? {}) as never },
  }
}

function project(s: Snapshot): SessionScreen {
  const { profile, ended, captchaKey, facts } = s.context
  const inside = isInside(s),
    form = hasForm(s)
  return {
    words: wordsOf(s),
    shows: pageOf(s),
    over: isOver(s) ? (isReminded(s) ? 'reminder' : 'form') : null,
    isBusy: (form || isOver(s)) && s.hasTag('busy'),
    person: inside ? (profile?.user.name ?? null) : null,
    menu: inside ? (profile?.permissions ?? []).join() : '',
    problem: problemOf(s),
    ended: isReminded(s) ? codeIn(ended) : null,
    picture: form ? captchaKey : null,
    kept: facts?.token ?? null,
    offers: mayOf(s),
  }
}

/** Whether the page shows the sign-in form, as a page or in a dialog. */
function hasForm(s: Snapshot) {
  return isSignedOut(s) || (isOver(s) && !isReminded(s))
}

/** The heading of the dialog, then the labels of the sign-in form. */
function wordsOf(s: Snapshot): string {
  return [
    ...(isOver(s) ? [t(languageNow(), isReminded(s) ? 'problem.reminder' : 'signIn.again')] : []),
    ...(hasForm(s)
      ? [
          t(languageNow(), 'signIn.account'),
          t(languageNow(), 'signIn.password'),
          ...(s.context.captchaKey === null ? [] : [t(languageNow(), 'signIn.captcha')]),
        ]
      : []),
  ].join()
}

function pageOf(s: Snapshot): SessionScreen['shows'] {
  if (isSignedOut(s)) return 'signIn'
  if (isInside(s)) return 'inside'
  return hasFailed(s) ? 'failed' : 'wait'
}

function problemOf(s: Snapshot): string | null {
  const { problem } = s.context
  if (hasFailed(s)) return codeIn(problem) ?? 'unreachable'
  return hasForm(s) ? codeIn(problem) : null
}

function isReminded(s: Snapshot) {
  return s.matches({ expired: 'reminder' }) || s.matches({ expired: 'joining' })
}

function codeIn(problem: { readonly code: number } | null) {
  return problem === null ? null : String(problem.code)
}

/** What the page must offer. While the console loads nothing is reachable yet. */
function mayOf(s: Snapshot): string {
  const may = (...events: readonly SessionEvent[]) =>
    events
      .filter((event) => s.can(event))
      .map(({ type }) => type)
      .sort()
      .join()
  if (isSignedOut(s) || s.matches({ expired: 'form' }) || s.matches({ expired: 'signingIn' }))
    return may(
      { type: 'session.signIn', account: '', password: '', tenant: '', captcha: '' },
      { type: 'reminder.leave' },
    )
  if (isReminded(s)) return may({ type: 'reminder.confirm' }, { type: 'reminder.leave' })
  if (hasFailed(s)) return may({ type: 'profile.retry' }, { type: 'session.signOut' })
  return s.hasTag('active') ? may({ type: 'session.signOut' }, { type: 'profile.reload' }) : ''
}

/**
 * Events without a control. Calls for the profile wait while the token is refreshed, which the page
 * cannot show, so they are not begun then on the web; the test of the client and the bare machine
 * have them.
 */
function covered(s: Snapshot, given: EventObject): boolean {
  const { type } = given as SessionEvent
  if (type === 'session.signOut') return !isInside(s) && !hasFailed(s)
  return (type === 'profile.reload' || type === 'profile.retry') && s.hasTag('refreshing')
}

function withMenu(outcomes: object) {
  return Object.fromEntries(
    Object.entries(outcomes as Record<string, { ok: boolean; output?: Profile }>).map(
      ([name, outcome]) => [
        name,
        outcome.output === undefined
          ? outcome
          : {
              ...outcome,
              output: { ...outcome.output, menu: outcome.output.permissions.map(leafOf) },
            },
      ],
    ),
  )
}

function leafOf(code: string): MenuNode {
  return {
    id: code,
    name: code,
    path: `/${code}`,
    icon: null,
    tag: null,
    hidden: false,
    meta: { title: code, roles: [] },
    children: [],
  }
}

const login = '/authority/anno/login',
  whoami = '/authority/whoami',
  menu = '/menu/router',
  resources = '/resource/visible',
  pageCall = '/authority/common/generateId'

const dialog = '.jw-dialog--narrow'
const over = (key: TextKey) => find(`${dialog} .bp6-dialog-footer button`, textIn(key))
const inPage = (selector: string) => find(dialog) === undefined && offers(selector)
const language = () => `.jw-top [aria-label="${textIn('shell.language')}"]`
const submit = '.jw-sign-in button[type=submit]'
const retry = () => find('.jw-state button', textIn('common.retry'))
const failedSignOut = () => find('.jw-state button', textIn('shell.signOut'))

interface Hands {
  surface(): Surface
  /** Sets how later calls of pages end. */
  answerPages(problem: ApiProblem['problem'] | null): void
  leaveInStorage(facts: SessionFacts | null): void
}

/**
 * A page that needs no sign-in: leaving and returning to it shows whether the console kept its
 * place.
 */
const parked = '#/404',
  home = '#/'
const stored: Readonly<Record<string, SessionFacts | null>> = {
  stored: { version: 1, token: 'stored', refreshToken: 'r', expiresAt: 1_800_000 },
  once: { version: 1, token: 'once', refreshToken: null, expiresAt: 1_800_000 },
  none: null,
}

export function sessionScreen(): Screen<SessionScreen> {
  let surface: Surface | null = null
  let refusal: ApiProblem['problem'] | null = null
  let emitted: string[] = []
  let isOurs = false
  let wasHome = false
  const leaveInStorage = (facts: SessionFacts | null) => {
    isOurs = true
    asAnotherTab(facts)
    isOurs = false
  }
  const gestures = gesturesOf({
    surface: () => {
      if (surface === null) throw new Absent('not started')
      return surface
    },
    answerPages: (problem) => {
      refusal = problem
    },
    leaveInStorage,
  })
  return {
    mount: (start, held) => {
      leaveInStorage(stored[start] ?? null)
      location.hash = parked
      changeSettings({ signInAs: 'staff' })
      const unwatch = watchStorage((kept) => {
        if (!isOurs) emitted.push(emitEffect({ type: 'facts', facts: kept ? 'kept' : null }))
      })
      const app = startConsole({ fetch: held.fetch })
      surface = app.surface
      return {
        element: app.element,
        stop: () => {
          app.stop()
          unwatch()
          location.hash = ''
        },
      }
    },
    callOf,
    background: ({ path }) => {
      if (path === '/message/mine') return answered({ unread: 0, records: [] })
      if (path !== pageCall)
        return answered(path.endsWith('/page') ? { records: [], total: 0 } : [])
      return refusal === null ? answered('77') : refusedWith({ problem: refusal } as ApiProblem)
    },
    reply: (port, { output }, { path }) => {
      if (port === 'signIn' || port === 'refresh') return answered((output as Issued).tokens)
      const { user, menu: nodes, permissions } = (output ?? {}) as Profile
      return answered(
        path === whoami
          ? user
          : path === menu
            ? nodes
            : path === resources
              ? permissions.map((code) => ({ code }))
              : null,
      )
    },
    user: (step, held) => {
      if (!location.hash.includes('404'))
        location.hash = location.hash.startsWith('#/login') ? '#/login?redirect=%2F404' : parked
      wasHome = false
      return () => gestureOf(gestures, step, held)
    },
    read,
    told: () => {
      const facts = readFacts()
      const told = emitted.map((effect) => effect.replace('"kept"', JSON.stringify(facts)))
      emitted = []
      // The console of another user begins at home, whatever was open before.
      const isHome = location.hash === home
      const moved = isHome && !wasHome
      wasHome = isHome
      return moved ? [...told, emitEffect({ type: 'personChanged' })] : told
    },
  }
}

/** Writes to the shared storage as another browser tab does. */
function asAnotherTab(facts: SessionFacts | null): void {
  const values = {
    JIAOWU_TOKEN: facts?.token,
    JIAOWU_REFRESH_TOKEN: facts?.refreshToken,
    JIAOWU_EXPIRE_TIME: facts?.expiresAt,
  }
  for (const [key, value] of Object.entries(values))
    if (value === undefined || value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, String(value))
}

function gesturesOf({ surface, answerPages, leaveInStorage }: Hands): Gestures<SessionEvent> {
  // A page calls the server; the result does not matter here.
  const askFromPage = () => {
    surface()
      .api.session.generateId({})
      .catch(() => {})
  }
  return {
    'session.signIn': ({ account, password, captcha }) => {
      need(submit)
      enter(need<HTMLInputElement>('#account'), account)
      enter(need<HTMLInputElement>('#password'), password)
      if (captcha !== '') enter(need<HTMLInputElement>('#captcha'), captcha)
      return () => click(submit, textIn('signIn.submit'))
    },
    'session.signOut': () => {
      const button = failedSignOut()
      if (button !== undefined) {
        press(button)
        return undefined
      }
      click('.jw-top__user')
      return () => click('.bp6-menu-item', textIn('shell.signOut'))
    },
    'session.invalid': ({ problem }) => {
      answerPages(problem)
      askFromPage()
      return () => answerPages(null)
    },
    'token.stale': () => {
      setClockAhead(1_600_000)
      askFromPage()
      return () => setClockAhead(0)
    },
    'reminder.confirm': () => press(over('signIn.again') ?? need(`${dialog} .again`)),
    'reminder.leave': () => press(over('signIn.leave') ?? need(`${dialog} .leave`)),
    'profile.retry': () => press(retry() ?? need('.retry')),
    'profile.reload': () => click(language()),
    'storage.changed': ({ facts }) => {
      leaveInStorage(facts)
      window.dispatchEvent(new StorageEvent('storage', { key: 'JIAOWU_TOKEN' }))
    },
  }
}

/** Reports whether the console stores or removes its token. */
function watchStorage(onFacts: (kept: boolean) => void): () => void {
  const real = localStorage
  const watched: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'> = {
    getItem: (key) => real.getItem(key),
    clear: () => real.clear(),
    setItem: (key, value) => {
      real.setItem(key, value)
      if (key === 'JIAOWU_TOKEN') onFacts(true)
    },
    removeItem: (key) => {
      real.removeItem(key)
      if (key === 'JIAOWU_TOKEN') onFacts(false)
    },
  }
  Object.defineProperty(globalThis, 'localStorage', { value: watched, configurable: true })
  return () => {
    Object.defineProperty(globalThis, 'localStorage', { value: real, configurable: true })
  }
}

function callOf({ path, body, token }: Asked): PortCall | null {
  if (path === login && body.grant_type === 'refresh_token')
    return { port: 'refresh', input: { refreshToken: body.refresh_token } }
  if (path === login)
    return {
      port: 'signIn',
      input: {
        account: body.username,
        password: body.password,
        tenant: body.tenant ?? '',
        captcha: body.captcha ?? '',
        captchaKey: body.captchaKey ?? null,
      },
    }
  if (path === '/authority/logout') return { port: 'signOut', input: { token } }
  if (path === whoami) return { port: 'loadProfile', input: { token } }
  return path === menu || path === resources ? { partOf: 'loadProfile' } : null
}

function read(): SessionScreen {
  const form = find('.jw-sign-in'),
    isOpen = find(dialog) !== undefined,
    inside = find('.jw-shell') !== undefined
  const fault =
    inside || form !== undefined ? find('.jw-sign-in .jw-fault') : find('.jw-state__title')
  const failed = !inside && retry() !== undefined
  return {
    words: [
      ...all(`${dialog} h2, ${dialog} h4, ${dialog} h5, ${dialog} h6`),
      ...all('.jw-sign-in label'),
    ]
      .map(textOf)
      .join(),
    shows: inside ? 'inside' : form !== undefined ? 'signIn' : failed ? 'failed' : 'wait',
    over: isOpen ? (form === undefined ? 'reminder' : 'form') : null,
    isBusy: find(`${submit}.bp6-loading, ${dialog} .bp6-loading`) !== undefined,
    person: inside ? textOf(find('.jw-top__user')) : null,
    menu: all('.jw-menu__leaf').map(textOf).join(),
    problem: fault === undefined ? null : codeOf(textOf(fault)),
    ended: isOpen && form === undefined ? codeOf(textOf(find(`${dialog} [role=alert]`))) : null,
    picture:
      find('.jw-sign-in__captcha img')?.getAttribute('src')?.replace('/api/captcha?key=', '') ??
      null,
    kept: localStorage.getItem('JIAOWU_TOKEN'),
    offers: offersNow(),
  }
}

/** Messages of the server are their code; those of the network are ours, in the page's language. */
function codeOf(text: string): string {
  if (/^m\d+$/.test(text)) return text.slice(1)
  const isOurs = (key: TextKey) => text === textIn(key)
  return isOurs('problem.network') ? '0' : isOurs('shell.unreachable') ? 'unreachable' : text
}

function offersNow(): string {
  const pairs: readonly (readonly [SessionEvent['type'], boolean])[] = [
    ['profile.reload', inPage(language())],
    ['profile.retry', usable(retry())],
    ['reminder.confirm', find('.jw-sign-in') === undefined && usable(over('signIn.again'))],
    ['reminder.leave', usable(over('signIn.leave'))],
    ['session.signIn', offers(submit)],
    ['session.signOut', inPage('.jw-top__user') || usable(failedSignOut())],
  ]
  return pairs
    .filter(([, offered]) => offered)
    .map(([type]) => type)
    .join()
}
