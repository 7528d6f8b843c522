import { type ApiProblem, type Problem, problemText } from '@jiaowu/api/problem'
import type { Locale } from '@jiaowu/api/locale'
import type { FactorKind } from '@jiaowu/api/contract/factor'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { t } from '@jiaowu/api/texts/index'
import type { Issued, Profile, SessionFacts } from '@jiaowu/machines/session/ports'
import { sessionView } from '@jiaowu/machines/session/view'
import { emitEffect } from '@jiaowu/path-tests'
import { startConsole } from '../../../apps/web/src/console.tsx'
import { readFacts } from '../../../apps/web/src/ports/index.ts'
import { changeSettings } from '../../../apps/web/src/app/settings.ts'
// Preloaded: a lazy import would finish after the screen has come to rest.
import '../../../apps/web/src/inside.tsx'
import '../../../apps/web/src/ui/not-found-page.tsx'
import '../../../apps/web/src/features/sign-in/sign-in-page.tsx'
import '../../surfaces/web/console-texts.ts'
import { answering } from '../../surfaces/samples.ts'
import { inAnyLanguage, under } from '../../surfaces/sentences.ts'
import { findFirst, loadingButtons, page } from '../../surfaces/web/dom/by-role.ts'
import { watchStorage } from '../../surfaces/web/dom/effects.ts'
import {
  byPage,
  custom,
  type Gesture,
  inTurn,
  offeredAs,
  withoutOffer,
} from '../../surfaces/web/dom/gestures.ts'
import { createRead } from '../../surfaces/web/dom/reads.ts'
import { setClockAhead } from '../../surfaces/web/frozen-time.ts'
import { wrapData, refusedWith } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createStepTest, createWebDriver } from '../../surfaces/web/table.ts'
import { school } from '../download/samples.ts'
import type { Spec } from '../spec.ts'
import { sessionConcerns } from './model.ts'

type View = Shown<typeof sessionView>
const at = createStepTest<View>()

const form = page.role('form')
const banner = page.role('banner')
const menu = page.role('navigation', inAnyLanguage('shell.menu'))
const retry = page.button(inAnyLanguage('common.retry'))
const user = banner.button(/^甲/)
const submit = form.css('button[type=submit]').press
const changeLanguage = banner.button(inAnyLanguage('shell.language'))
/** Controls of the page are out of reach behind a dialog. */
const hasNoDialog = page.dialog().isAbsent

const isInside = at('active', 'over')
const hasFailed = at('failed')
const isOver = at('over')
const isReminded = ({ over }: View) => over?.stage === 'reminder'
/** The sign-in form, as a page or in a dialog. */
const hasForm = ({ step, over }: View) => step === 'signedOut' || over?.stage === 'form'
const hasPassword = (view: View) => hasForm(view) && view.factor === null
const hasFactor = (view: View) => hasForm(view) && view.factor !== null
const hasCaptcha = (view: View) => hasPassword(view) && view.captchaKey !== null

/** The whole console: its menu shows the rights. */
export const sessionWeb = createWebDriver<typeof sessionView>({
  model: sessionConcerns,
  adapt: adaptSessionSpec,
  view: sessionView,
  language,
  readings: {
    isInside: menu.isShown.is(isInside),
    isBusy: loadingButtons.isShown.is((view) => (hasForm(view) || isReminded(view)) && view.busy),
    person: user.text.while(isInside, (view) => view.user?.name ?? ''),
    menu: menu.role('listitem').texts.while(isInside, ({ permissions }) => permissions),
    problem: findFirst(form.alert, page.heading().provided(retry.isShown)).text.is((view) => {
      if (view.problem === null) return hasFailed(view) ? t(language(), 'shell.unreachable') : ''
      return hasForm(view) || hasFailed(view) ? formatSessionProblem(view.problem) : ''
    }),
    ended: page
      .dialog()
      .alert.where((each) => each.closest('form') === null)
      .text.while(isReminded, ({ c: { ended } }) =>
        ended === null ? t(language(), 'problem.pleaseLogin') : formatSessionProblem(ended),
      ),
    canReload: changeLanguage
      .provided(hasNoDialog)
      .reachable.isShown.is(({ s }) => s.hasTag('active') && s.can({ type: 'profile.reload' })),
    canRetry: retry.reachable.isShown.is(
      (view) => hasFailed(view) && view.s.can({ type: 'profile.retry' }),
    ),
    captcha: form
      .role('image', inAnyLanguage('signIn.captcha'))
      .attribute('src')
      .while(hasCaptcha, ({ captchaKey }) => `/api/captcha?key=${captchaKey}`),
    stored: createRead(() => localStorage.getItem('JIAOWU_TOKEN') ?? '').is(
      ({ c }) => c.facts?.token ?? '',
    ),
  },
  says: {
    'common.loading': (view) => !hasForm(view) && !isInside(view) && !hasFailed(view),
    'problem.reminder': isReminded,
    ...under('signIn', isOver, 'again', 'leave'),
    ...under('signIn', hasPassword, 'account', 'password', 'submit'),
    ...under('signIn', hasFactor, 'confirm', 'remember', 'back'),
    'signIn.captcha': hasCaptcha,
    'common.retry': hasFailed,
    'shell.signOut': hasFailed,
  },
  gestures: {
    'session.signIn': ({ account, password, captcha }) => {
      const typed = inTurn(
        form.field(inAnyLanguage('signIn.account')).fill(account),
        form.field(inAnyLanguage('signIn.password')).fill(password),
        submit,
      )
      const answer = form.field(inAnyLanguage('signIn.captcha')).fill(captcha)
      const isOffered = form
        .css('button[type=submit]')
        .provided(form.field(inAnyLanguage('signIn.account')).isShown)
      return offeredAs(captcha === '' ? typed : inTurn(answer, typed), isOffered.press)
    },
    'factor.answer': answerFactor,
    'factor.leave': form.button(inAnyLanguage('signIn.back')).press,
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
    'reminder.confirm': page.dialog().button(inAnyLanguage('signIn.again')).provided(form.isAbsent)
      .press,
    'reminder.leave': page.dialog().button(inAnyLanguage('signIn.leave')).press,
    'profile.retry': withoutOffer(retry.press),
    'profile.reload': withoutOffer(changeLanguage.press),
    'storage.changed': ({ facts, unsaved }) =>
      custom(() => {
        const kept = 'JIAOWU_UNSAVED_10000_1_TAG 0'
        writeAsAnotherTab(facts)
        if (unsaved === true) sessionStorage.setItem(kept, '{}')
        window.dispatchEvent(new StorageEvent('storage', { key: 'JIAOWU_TOKEN' }))
        sessionStorage.removeItem(kept)
      }),
  },
  // Calls for the profile wait while the token is refreshed, which the page cannot show, so they are not begun then on
  // the web; the test of the client and the bare machine have them.
  hidden: {
    'session.signOut': (view) => !isInside(view) && !hasFailed(view),
    'profile.reload': ({ s }) => s.hasTag('refreshing'),
    'profile.retry': ({ s }) => s.hasTag('refreshing'),
  },
  calls: {
    '/authority/anno/login': ({ body: { captchaKey = null, ...body } }) =>
      body.grant_type === 'refresh_token'
        ? { port: 'refresh', input: { refreshToken: body.refresh_token } }
        : {
            port: 'signIn',
            input: {
              account: body.username,
              password: body.password,
              tenant: body.tenant ?? '',
              provider: body['provider'] ?? null,
              captcha: body.captcha ?? '',
              captchaKey,
              factor: null,
            },
          },
    '/auth/factor/verify': ({ body: { token, kind, code, remember } }) => ({
      port: 'signIn',
      input: { ...noCredentials, factor: { token, kind, code, remember } },
    }),
    '/authority/logout': ['signOut', ({ token }) => ({ token })],
    '/authority/whoami': ['loadProfile', ({ token }) => ({ token })],
    '/menu/router': { partOf: 'loadProfile' },
    '/resource/visible': { partOf: 'loadProfile' },
  },
  host: createSessionHost,
})

/** The form keeps the kind and the box of the answer before. */
function answerFactor({
  kind,
  code,
  remember,
}: {
  readonly kind: FactorKind
  readonly code: string
  readonly remember: boolean
}): Gesture {
  const isTotp = kind === 'totp'
  const field = form.field(inAnyLanguage(isTotp ? 'signIn.factorCode' : 'signIn.recoveryCode'))
  const change = form.button(inAnyLanguage(isTotp ? 'signIn.useTotp' : 'signIn.useRecovery')).press
  const box = form.checkbox(inAnyLanguage('signIn.remember'))
  const answer = byPage(() => {
    const typed = inTurn(field.fill(code), submit)
    return box.checked() === remember ? typed : inTurn(box.press, typed)
  })
  return offeredAs(
    byPage(() => (field.isShown() ? answer : inTurn(change, answer))),
    page.button(inAnyLanguage('signIn.confirm')).press,
  )
}

const noCredentials = {
  account: '',
  password: '',
  tenant: '',
  provider: null,
  captcha: '',
  captchaKey: null,
}

function language(): Locale {
  return document.documentElement.lang as Locale
}

/** The server's own words, or ours when it cannot be reached. */
function formatSessionProblem(problem: Problem): string {
  return problem.kind === 'transport'
    ? t(language(), 'problem.network')
    : problemText(language(), problem)
}

/** A captcha is answered when there is one; the menu has an item for each right. */
function adaptSessionSpec(spec: Spec<unknown>): Partial<Spec<unknown>> {
  const { form: attempt } = spec.events['session.signIn'] ?? {}
  const attemptIn = ({ captchaKey }: View['c']) =>
    captchaKey === null ? { ...attempt, captcha: '' } : (attempt ?? {})
  return {
    ...(attempt === undefined
      ? {}
      : {
          eventsIn: ({ context }) => ({
            'session.signIn': { form: attemptIn(context as View['c']) },
          }),
        }),
    outcomes: {
      ...spec.outcomes,
      loadProfile: answering<Profile>(spec.outcomes.loadProfile, (profile) => ({
        ...profile,
        menu: profile.permissions.map(buildMenuLeaf),
      })),
    },
  }
}

function buildMenuLeaf(code: string): MenuNode {
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
  const failed = page.button(item).provided(retry.isShown)
  const byMenu = inTurn(user.press, page.role('menuitem', item).press)
  return offeredAs(
    byPage(() => (failed.isShown() ? failed.press : byMenu)),
    findFirst(failed, user).provided(hasNoDialog).press,
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

function createSessionHost(): Host {
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
      if (path === '/message/mine') return wrapData({ unread: 0, records: [] })
      if (path === '/flow/todo/page')
        return wrapData({ records: [], entities: [], total: 0, size: 20, current: 1 })
      if (path === '/stuLogin/school') return wrapData(school)
      if (path !== '/authority/common/generateId')
        return wrapData(
          path.endsWith('/page') ? { records: [], total: 0, size: 20, current: 1 } : [],
        )
      return refusal === null ? wrapData('77') : refusedWith({ problem: refusal } as ApiProblem)
    },
    reply: (port, { output }, { path }) => {
      if (port === 'signIn' || port === 'refresh') return wrapData((output as Issued).tokens)
      const { user: person, menu: nodes, permissions } = (output ?? {}) as Profile
      return wrapData(
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
