import { type ApiProblem, type Locale, type MenuNode, type Problem, t } from '@jiaowu/api'
import {
  type Issued,
  type Profile,
  type SessionEvent,
  type SessionFacts,
  type sessionMachine,
} from '@jiaowu/machines'
import { emitEffect } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import type { SnapshotFrom } from 'xstate'
import { startConsole } from '../../../apps/web/src/console.tsx'
import { readFacts } from '../../../apps/web/src/ports/index.ts'
import { changeSettings } from '../../../apps/web/src/shell/context/settings.ts'
// Preloaded: a lazy import would finish after the screen has come to rest.
import '../../../apps/web/src/shell/inside.tsx'
import '../../../apps/web/src/shell/not-found-page.tsx'
import '../../../apps/web/src/shell/session/sign-in-page.tsx'
import '../../../apps/web/src/texts/en-console.ts'
import '../../../apps/web/src/texts/en-start.ts'
import '../../../apps/web/src/texts/zh-cn-console.ts'
import '../../../apps/web/src/texts/zh-cn-start.ts'
import {
  button,
  byRole,
  bySelector,
  dialog,
  either,
  field,
  having,
  heading,
  type Target,
} from '../../surfaces/web/dom/by-role.ts'
import { watchStorage } from '../../surfaces/web/dom/effects.ts'
import { setClockAhead } from '../../surfaces/web/frozen-time.ts'
import {
  custom,
  fill,
  type Gesture,
  inTurn,
  offeredAs,
  press,
  reachable,
  unlisted,
} from '../../surfaces/web/dom/gestures.ts'
import { answered, refusedWith } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, loadingButtons, text, texts } from '../../surfaces/web/dom/reads.ts'
import { inAnyLanguage } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { school } from '../download/samples.ts'
import { sessionConcerns } from './model.ts'

type Snapshot = SnapshotFrom<typeof sessionMachine>
interface View {
  readonly s: Snapshot
  readonly isInside: boolean
  readonly hasFailed: boolean
  /** The sign-in form, as a page or in a dialog. */
  readonly hasForm: boolean
  readonly isReminded: boolean
}

const form = byRole('form')
const banner = byRole('banner')
const menu = byRole('navigation', inAnyLanguage('shell.menu'))
const retry = button(inAnyLanguage('common.retry'))
const user = button(/^甲/, banner)
const captcha = byRole<HTMLImageElement>('image', inAnyLanguage('signIn.captcha'), form)
const submit = press(bySelector('button[type=submit]', form))
const changeLanguage = button(inAnyLanguage('shell.language'), banner)
/** Controls of the page are out of reach behind a dialog. */
const inPage = (target: Target) => having(target, () => !isShown(dialog())())

/** The whole console: its menu shows the rights. */
export const sessionWeb = webDriverOf<Snapshot, SessionEvent, View>({
  model: sessionConcerns,
  adapt,
  view: viewOf,
  language,
  readings: {
    isInside: { model: ({ isInside }) => isInside, screen: isShown(menu) },
    isBusy: {
      model: ({ s, hasForm, isReminded }) => (hasForm || isReminded) && s.hasTag('busy'),
      screen: isShown(loadingButtons),
    },
    person: {
      model: ({ s, isInside }) => (isInside ? (s.context.profile?.user.name ?? '') : ''),
      screen: text(user),
    },
    menu: {
      model: ({ s, isInside }) => (isInside ? (s.context.profile?.permissions ?? []).join() : ''),
      screen: texts(byRole('listitem', undefined, menu)),
    },
    problem: {
      model: ({ s, hasForm, hasFailed }) => {
        const { problem } = s.context
        if (problem === null) return hasFailed ? t(language(), 'shell.unreachable') : ''
        return hasForm || hasFailed ? textOf(problem) : ''
      },
      screen: text(either(byRole('alert', undefined, form), having(heading(), isShown(retry)))),
    },
    ended: {
      model: ({ s, isReminded }) =>
        !isReminded
          ? ''
          : s.context.ended === null
            ? t(language(), 'problem.pleaseLogin')
            : textOf(s.context.ended),
      screen: text(
        having(byRole('alert', undefined, dialog()), (each) => each.closest('form') === null),
      ),
    },
    canReload: {
      model: ({ s }) => s.hasTag('active') && s.can({ type: 'profile.reload' }),
      screen: isShown(reachable(inPage(changeLanguage))),
    },
    canRetry: {
      model: ({ s, hasFailed }) => hasFailed && s.can({ type: 'profile.retry' }),
      screen: isShown(reachable(retry)),
    },
    captcha: {
      model: ({ s, hasForm }) =>
        hasForm && s.context.captchaKey !== null ? `/api/captcha?key=${s.context.captchaKey}` : '',
      screen: () => captcha.all()[0]?.getAttribute('src') ?? '',
    },
    stored: {
      model: ({ s }) => s.context.facts?.token ?? '',
      screen: () => localStorage.getItem('JIAOWU_TOKEN') ?? '',
    },
  },
  says: {
    'common.loading': ({ hasForm, isInside, hasFailed }) => !hasForm && !isInside && !hasFailed,
    'problem.reminder': ({ isReminded }) => isReminded,
    'signIn.again': ({ s }) => s.hasTag('expired'),
    'signIn.leave': ({ s }) => s.hasTag('expired'),
    'signIn.account': ({ hasForm }) => hasForm,
    'signIn.password': ({ hasForm }) => hasForm,
    'signIn.captcha': ({ s, hasForm }) => hasForm && s.context.captchaKey !== null,
    'signIn.submit': ({ hasForm }) => hasForm,
    'common.retry': ({ hasFailed }) => hasFailed,
    'shell.signOut': ({ hasFailed }) => hasFailed,
  },
  gestures: {
    'session.signIn': (event) => {
      const typed = inTurn(
        fill(field(inAnyLanguage('signIn.account'), form), event.account),
        fill(field(inAnyLanguage('signIn.password'), form), event.password),
        submit,
      )
      return offeredAs(
        event.captcha === ''
          ? typed
          : inTurn(fill(field(inAnyLanguage('signIn.captcha'), form), event.captcha), typed),
        submit,
      )
    },
    'session.signOut': signOut(),
    'session.invalid': ({ problem }) =>
      custom(() => {
        refusal = problem
        askFromPage()
        return () => {
          refusal = null
        }
      }),
    'token.stale': custom(() => {
      setClockAhead(1_600_000)
      askFromPage()
      return () => setClockAhead(0)
    }),
    'reminder.confirm': press(
      having(button(inAnyLanguage('signIn.again'), dialog()), () => !isShown(form)()),
    ),
    'reminder.leave': press(button(inAnyLanguage('signIn.leave'), dialog())),
    'profile.retry': unlisted(press(retry)),
    'profile.reload': unlisted(press(changeLanguage)),
    'storage.changed': ({ facts }) =>
      custom(() => {
        writeAsAnotherTab(facts)
        window.dispatchEvent(new StorageEvent('storage', { key: 'JIAOWU_TOKEN' }))
      }),
  },
  // Calls for the profile wait while the token is refreshed, which the page cannot show, so they are not begun then on
  // the web; the test of the client and the bare machine have them.
  hidden: (s, { type }) => {
    const { isInside, hasFailed } = viewOf(s)
    if (type === 'session.signOut') return !isInside && !hasFailed
    return (type === 'profile.reload' || type === 'profile.retry') && s.hasTag('refreshing')
  },
  calls: {
    '/authority/anno/login': ({ body }) =>
      body.grant_type === 'refresh_token'
        ? { port: 'refresh', input: { refreshToken: body.refresh_token } }
        : {
            port: 'signIn',
            input: {
              account: body.username,
              password: body.password,
              tenant: body.tenant ?? '',
              captcha: body.captcha ?? '',
              captchaKey: body.captchaKey ?? null,
            },
          },
    '/authority/logout': ['signOut', ({ token }) => ({ token })],
    '/authority/whoami': ['loadProfile', ({ token }) => ({ token })],
    '/menu/router': { partOf: 'loadProfile' },
    '/resource/visible': { partOf: 'loadProfile' },
  },
  host,
})

function language(): Locale {
  return document.documentElement.lang as Locale
}

/** The server's own words, or ours when it cannot be reached. */
function textOf({ kind, message }: Problem): string {
  return kind === 'transport' ? t(language(), 'problem.network') : String(message)
}

function viewOf(s: Snapshot): View {
  const isReminded = s.matches({ expired: 'reminder' }) || s.matches({ expired: 'joining' })
  return {
    s,
    isInside: s.hasTag('active') || s.hasTag('expired'),
    hasFailed: s.matches({ present: { profile: 'failed' } }),
    hasForm: s.hasTag('signedOut') || (s.hasTag('expired') && !isReminded),
    isReminded,
  }
}

/** A captcha is answered when there is one; the menu has an item for each right. */
function adapt(spec: Spec<unknown>): Partial<Spec<unknown>> {
  const { form: attempt } = spec.events['session.signIn'] ?? {}
  const answers = { ...attempt, captcha: '' }
  return {
    ...(attempt === undefined
      ? {}
      : {
          eventsIn: ({ context }) => ({
            'session.signIn': {
              form: (context as Snapshot['context']).captchaKey === null ? answers : attempt,
            },
          }),
        }),
    outcomes: {
      ...spec.outcomes,
      loadProfile: Object.fromEntries(
        Object.entries(
          spec.outcomes.loadProfile as Readonly<Record<string, { readonly output?: Profile }>>,
        ).map(([name, outcome]) => [name, withMenu(outcome)]),
      ) as never,
    },
  }
}

function withMenu(outcome: { readonly output?: Profile }) {
  const { output } = outcome
  return output === undefined
    ? outcome
    : { ...outcome, output: { ...output, menu: output.permissions.map(leafOf) } }
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

/** From the page of a failure, or by the user's menu. */
function signOut(): Gesture {
  const item = inAnyLanguage('shell.signOut')
  const failed = having(button(item), isShown(retry))
  const byMenu = inTurn(press(user), press(byRole('menuitem', item)))
  return offeredAs(
    custom((held) => (isShown(failed)() ? press(failed) : byMenu).run(held)),
    press(inPage(either(failed, user))),
  )
}

const stored: Readonly<Record<string, SessionFacts | null>> = {
  stored: { version: 1, token: 'stored', refreshToken: 'r', expiresAt: 1_800_000 },
  once: { version: 1, token: 'once', refreshToken: null, expiresAt: 1_800_000 },
  none: null,
}
/** A page that needs no sign-in: leaving and returning to it shows whether the console kept its place. */
const parked = '#/404'
const home = '#/'
let app: ReturnType<typeof startConsole> | null = null
/** How calls of pages end; null: with success. */
let refusal: ApiProblem['problem'] | null = null
let isAnotherTab = false

/** A page calls the server; the result does not matter here. */
function askFromPage(): void {
  app?.surface.api.session.generateId({}).catch(() => {})
}

/** Writes to the shared storage as another browser tab does. */
function writeAsAnotherTab(facts: SessionFacts | null): void {
  const values = {
    JIAOWU_TOKEN: facts?.token,
    JIAOWU_REFRESH_TOKEN: facts?.refreshToken,
    JIAOWU_EXPIRE_TIME: facts?.expiresAt,
  }
  isAnotherTab = true
  for (const [key, value] of Object.entries(values))
    if (value === undefined || value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, String(value))
  isAnotherTab = false
}

function host(): Host {
  let changes: (string | null)[] = []
  let wasHome = false
  return {
    mount: (start, held) => {
      refusal = null
      writeAsAnotherTab(stored[start] ?? null)
      location.hash = parked
      changeSettings({ signInAs: 'staff' })
      const watch = watchStorage(
        'JIAOWU_TOKEN',
        (value) => {
          if (!isAnotherTab) changes.push(value)
        },
        'localStorage',
      )
      const started = startConsole({ fetch: held.fetch })
      app = started
      return {
        element: started.element,
        stop: () => {
          started.stop()
          watch.stop()
          location.hash = ''
        },
      }
    },
    background: ({ path }) => {
      if (path === '/message/mine') return answered({ unread: 0, records: [] })
      if (path === '/stuLogin/school') return answered(school)
      if (path !== '/authority/common/generateId')
        return answered(
          path.endsWith('/page') ? { records: [], total: 0, size: 20, current: 1 } : [],
        )
      return refusal === null ? answered('77') : refusedWith({ problem: refusal } as ApiProblem)
    },
    reply: (port, { output }, { path }) => {
      if (port === 'signIn' || port === 'refresh') return answered((output as Issued).tokens)
      const { user: person, menu: nodes, permissions } = (output ?? {}) as Profile
      return answered(
        path === '/authority/whoami'
          ? person
          : path === '/menu/router'
            ? nodes
            : path === '/resource/visible'
              ? permissions.map((code) => ({ code }))
              : null,
      )
    },
    before: () => {
      if (!location.hash.includes('404'))
        location.hash = location.hash.startsWith('#/login') ? '#/login?redirect=%2F404' : parked
      wasHome = false
    },
    takeEffects: () => {
      const facts = readFacts()
      const taken = changes.map((value) =>
        emitEffect({ type: 'facts', facts: value === null ? null : facts }),
      )
      changes = []
      // The console of another user begins at home, whatever was open before.
      const isHome = location.hash === home
      if (isHome && !wasHome) taken.push(emitEffect({ type: 'personChanged' }))
      wasHome = isHome
      return taken
    },
  }
}
