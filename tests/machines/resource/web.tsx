import type { TenantInfo } from '@jiaowu/api'
import type { ResourceEvent, resourceMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { TenantsPage } from '../../../apps/web/src/features/administration/tenants/tenants-page.tsx'
import {
  button,
  byRole,
  either,
  having,
  heading,
  nameOf,
  question,
} from '../../surfaces/web/dom/by-role.ts'
import { dismissToasts, effectLog, toastText } from '../../surfaces/web/dom/effects.ts'
import { noControl, press, reachable, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { names, text, texts } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { refusal, resourceModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof resourceMachine>
interface View {
  readonly s: Snapshot
  readonly shows: 'loading' | 'failed' | 'table'
  readonly isAsking: boolean
}

const table = byRole('table')
const schools: Readonly<Record<string, string>> = { 10001: '甲校', 10002: '乙校' }
const headers = ['code', 'name', 'state', 'staff', 'created'] as const

/** The page of the tenants: it has no other query to load and no outcome to dismiss. */
export const resourceWeb = webDriverOf<Snapshot, ResourceEvent, View>({
  model: resourceModels,
  adapt: () => ({ input: { reading: () => ({ query: 'tenants' }) } }),
  view: viewOf,
  readings: {
    rows: {
      model: ({ s, shows }) =>
        shows === 'table'
          ? [
              headers.map((header) => zh(`tenant.${header}`)).join('') + zh('list.operation'),
              ...(s.context.data as readonly TenantInfo[]).map(rowText),
            ].join()
          : '',
      screen: texts(byRole('row')),
    },
    problem: {
      model: ({ shows }) => (shows === 'failed' ? 'down' : ''),
      screen: text(heading()),
    },
    starts: {
      model: ({ shows, isAsking }) =>
        shows === 'table' && !isAsking ? [zh('tenant.disable'), zh('tenant.enable')].join() : '',
      screen: names(reachable(startButton('tenant.disable', 'tenant.enable'))),
    },
  },
  says: {
    'common.loading': ({ shows }) => shows === 'loading',
    'tenant.add': ({ shows }) => shows === 'table',
    'tenant.disableAsk': ({ isAsking }) => isAsking && { name: '甲校' },
  },
  gestures: {
    'resource.load': noControl,
    'resource.reload': press(either(button(zh('common.retry')), button(zh('common.refresh')))),
    'action.start': ({ action }) =>
      unlisted(
        press(
          startButton((action.input as TenantInfo).enabled ? 'tenant.enable' : 'tenant.disable'),
        ),
      ),
    'action.confirm': press(button(zh('tenant.disable'), question())),
    'action.cancel': press(button(zh('common.cancel'), question())),
    'action.dismiss': noControl,
  },
  hidden,
  calls: {
    'GET /tenant': ['load', () => 'tenants'],
    '/tenant/:id/enable': [
      'act',
      ({ body }, id) => ({
        name: 'enable',
        input: { id, name: schools[id], enabled: body.enabled },
      }),
    ],
  },
  host,
})

function startButton(...keys: readonly ('tenant.enable' | 'tenant.disable')[]) {
  return having(button(undefined, table), (each) => keys.some((key) => nameOf(each) === zh(key)))
}

function viewOf(s: Snapshot): View {
  return {
    s,
    shows: s.matches({ data: { read: 'failed' } })
      ? 'failed'
      : s.context.data === null
        ? 'loading'
        : 'table',
    isAsking: s.matches({ action: 'confirming' }),
  }
}

function rowText({ id, name, enabled, staff, createTime }: TenantInfo): string {
  const [state, action] = enabled
    ? (['tenant.on', 'tenant.disable'] as const)
    : (['tenant.off', 'tenant.enable'] as const)
  return [id, name, zh(state), staff, createTime, zh(action), zh('tenant.reset')].join('')
}

/** Events without a control: the page is not there yet, or the question stands before it. */
function hidden(s: Snapshot, { type }: ResourceEvent): boolean {
  const { shows, isAsking } = viewOf(s)
  if (type === 'resource.load' || type === 'action.dismiss') return true
  if (type === 'resource.reload') return shows === 'loading' || isAsking
  return type === 'action.start' && (shows !== 'table' || isAsking)
}

function host(): Host {
  const effects = effectLog((toast) =>
    toastText(toast) === refusal.error.message
      ? { type: 'failed', name: 'enable', problem: refusal.error.problem }
      : { type: 'done', name: 'enable', output: toastText(toast) === zh('tenant.enabled') },
  )
  return {
    mount: (_start, held) => ({ element: inConsole(held, <TenantsPage />) }),
    background: () => answered(null),
    reply: (port, outcome) => answered(port === 'act' ? null : outcome.output),
    before: dismissToasts,
    takeEffects: effects.take,
  }
}
