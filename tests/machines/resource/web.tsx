import type { ResourceEvent, resourceMachine } from '@jiaowu/machines'
import { t, type TenantInfo } from '@jiaowu/api'
import type { EventObject, SnapshotFrom } from 'xstate'
import { TenantsPage } from '../../../apps/web/src/features/administration/tenants/tenants-page.tsx'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import { enabling, refusal, type ResourceSeen } from './model.ts'
import { all, click, find, offers, textOf } from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { newToasts, toastText, dismissToasts } from '../../surfaces/web/effects.ts'

export interface ResourceScreen {
  readonly shows: 'loading' | 'failed' | 'table'
  /** Toolbar, headings and the buttons of every row. */
  readonly labels: string
  readonly rows: string
  /** Why there is no table: it is loading, or the server's words. */
  readonly problem: string
  readonly question: string
  readonly offers: string
}
type Snapshot = SnapshotFrom<typeof resourceMachine>

const text = (key: Parameters<typeof t>[1]) => t('zh-CN', key as 'tenant.title')
/** What stands on the page whatever the machine does. */
const labels = (
  [
    'tenant.add',
    'tenant.code',
    'tenant.name',
    'tenant.state',
    'tenant.staff',
    'tenant.created',
    'list.operation',
    'tenant.disable',
    'tenant.reset',
    'tenant.enable',
    'tenant.reset',
  ] as const
)
  .map(text)
  .join()
const names: Readonly<Record<string, string>> = { 10001: '甲校', 10002: '乙校' }

/** The page of the tenants: it has no other query to load and no outcome to dismiss. */
export function resourceOnScreen(spec: Spec<ResourceSeen>): Spec<ResourceScreen> {
  return {
    ...spec,
    input: { reading: () => ({ query: 'tenants' }) },
    covered: covered as never,
    project: ((s: Snapshot): ResourceScreen => {
      const shows = shownIn(s)
      const isAsking = s.matches({ action: 'confirming' })
      return {
        shows,
        labels: shows === 'table' ? labels : '',
        rows:
          shows === 'table'
            ? (s.context.data as readonly TenantInfo[])
                .map(
                  ({ id, name, enabled, staff, createTime }) =>
                    `${id} ${name} ${enabled ? '启用' : '停用'} ${staff} ${createTime}`,
                )
                .join()
            : '',
        problem: shows === 'failed' ? 'down' : shows === 'loading' ? text('common.loading') : '',
        question: isAsking ? t('zh-CN', 'tenant.disableAsk', { name: '甲校' }) : '',
        offers: [
          ...(shows === 'failed' ? ['retry'] : []),
          ...(shows === 'table' ? ['refresh', 'disable', 'enable'] : []),
          ...(isAsking ? ['confirm', 'cancel'] : []),
        ].join(),
      }
    }) as never,
  }
}

function shownIn(s: Snapshot): ResourceScreen['shows'] {
  if (s.matches({ data: { read: 'failed' } })) return 'failed'
  return s.context.data === null ? 'loading' : 'table'
}

/** Events without a gesture: the page is not there yet, or the question stands before it. */
function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as ResourceEvent
  switch (event.type) {
    case 'resource.load':
    case 'action.dismiss':
      return true
    case 'resource.reload':
      return shownIn(s) === 'loading' || s.matches({ action: 'confirming' })
    case 'action.start':
      return shownIn(s) !== 'table' || s.matches({ action: 'confirming' })
    default:
      return false
  }
}

const [table, alert] = ['.jw-tenants tbody', '.jw-alert']
const gestures: Gestures<ResourceEvent> = {
  'resource.load': () => {},
  'action.dismiss': () => {},
  'resource.reload': () => {
    if (find('.jw-state button') === undefined) click('[aria-label="刷新"]')
    else click('.jw-state button', '重试')
  },
  'action.start': ({ action }) =>
    action.input === enabling.input
      ? click(`${table} button`, text('tenant.enable'))
      : click(`${table} button`, text('tenant.disable')),
  'action.confirm': () => click(`${alert} button`, text('tenant.disable')),
  'action.cancel': () => click(`${alert} button`, text('common.cancel')),
}

export function resourceScreen(): Screen<ResourceScreen> {
  const toasts = newToasts()
  return {
    mount: (_start, held) => ({ element: inConsole(held, <TenantsPage />) }),
    callOf,
    background: () => answered(null),
    reply: (port, outcome) => answered(port === 'act' ? null : outcome.output),
    user: (step, held) => {
      dismissToasts()
      return gestureOf(gestures, step, held)
    },
    read,
    told: () => toasts().map((toast) => emittedBy(toastText(toast))),
  }
}

function callOf({ path, method, body }: Asked): PortCall | null {
  if (path === '/tenant' && method === 'GET') return { port: 'load', input: 'tenants' }
  const id = /^\/tenant\/(\d+)\/enable$/.exec(path)?.[1]
  return id === undefined
    ? null
    : {
        port: 'act',
        input: { name: 'enable', input: { id, name: names[id], enabled: body['enabled'] } },
      }
}

/** The toast's words as the machine announced them. */
function emittedBy(words: string): string {
  return words === refusal.error.message
    ? emitEffect({ type: 'failed', name: 'enable', problem: refusal.error.problem })
    : emitEffect({ type: 'done', name: 'enable', output: words === text('tenant.enabled') })
}

function read(): ResourceScreen {
  const state = find('.jw-state')
  const failed = offers('.jw-state button', '重试')
  const isTable = find('.jw-tenants') !== undefined
  return {
    shows: failed ? 'failed' : isTable ? 'table' : state === undefined ? 'table' : 'loading',
    labels: all('.jw-tenants .jw-toolbar button, .jw-tenants th, .jw-tenants tbody button')
      .map(textOf)
      .filter((label) => label !== '')
      .join(),
    rows: all(`${table} tr`)
      .map((row) => all('td', row).slice(0, 5).map(textOf).join(' '))
      .join(),
    problem: textOf(find(failed ? '.jw-state__title' : '.jw-state__label')),
    question: textOf(find(`${alert} p`)),
    offers: [
      ...(failed ? ['retry'] : []),
      ...(offers('[aria-label="刷新"]') ? ['refresh'] : []),
      ...(offers(`${table} button`, text('tenant.disable')) ? ['disable'] : []),
      ...(offers(`${table} button`, text('tenant.enable')) ? ['enable'] : []),
      ...(offers(`${alert} button`, text('tenant.disable')) ? ['confirm'] : []),
      ...(offers(`${alert} button`, text('common.cancel')) ? ['cancel'] : []),
    ].join(),
  }
}
