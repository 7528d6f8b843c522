import type { TenantInfo } from '@jiaowu/api/contract/administration/tenant'
import { resourceView } from '@jiaowu/machines/resource/view'
import { TenantsPage } from '../../../apps/web/src/features/administration/tenants/tenants-page.tsx'
import { zh } from '../../surfaces/sentences.ts'
import { findFirst, readAccessibleName, page } from '../../surfaces/web/dom/by-role.ts'
import { toastText } from '../../surfaces/web/dom/effects.ts'
import { noControl, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import { refusal, resourceModels } from './model.ts'

type View = Shown<typeof resourceView>
const schools: Readonly<Record<string, string>> = { 10001: '甲校', 10002: '乙校' }
const headers = ['code', 'name', 'state', 'staff', 'created'] as const
const start = (...keys: readonly ('tenant.enable' | 'tenant.disable')[]) =>
  page
    .role('table')
    .button()
    .where((each) => keys.some((key) => readAccessibleName(each) === zh(key)))

const hasFailed = ({ step }: View) => step === 'failed'
const isLoading = (view: View) => !hasFailed(view) && view.data === null
const showsTable = (view: View) => !hasFailed(view) && view.data !== null
const isAskingResource = ({ asking }: View) => asking !== null

/** The page of the tenants: it has no other query to load and no outcome to dismiss. */
export const resourceWeb = createWebDriver<typeof resourceView>({
  model: resourceModels,
  adapt: () => ({ input: { reading: () => ({ query: 'tenants' }) } }),
  view: resourceView,
  readings: {
    rows: page
      .role('row')
      .texts.while(showsTable, ({ data }) => [
        headers.map((header) => zh(`tenant.${header}`)).join('') + zh('list.operation'),
        ...(data as readonly TenantInfo[]).map(rowText),
      ]),
    problem: page.heading().text.is((view) => (hasFailed(view) ? 'down' : '')),
    starts: start('tenant.disable', 'tenant.enable').reachable.names.while(
      (view: View) => showsTable(view) && !isAskingResource(view),
      () => [zh('tenant.disable'), zh('tenant.enable')],
    ),
  },
  says: {
    'common.loading': isLoading,
    'tenant.add': showsTable,
    'tenant.disableAsk': (view) => isAskingResource(view) && { name: '甲校' },
  },
  gestures: {
    'resource.load': noControl,
    'resource.reload': findFirst(page.button(zh('common.retry')), page.button(zh('common.refresh')))
      .press,
    'action.start': ({ action: { input } }) =>
      withoutOffer(start((input as TenantInfo).enabled ? 'tenant.enable' : 'tenant.disable').press),
    'action.confirm': page.question.button(zh('tenant.disable')).press,
    'action.cancel': page.question.button(zh('common.cancel')).press,
    'action.dismiss': noControl,
  },
  // The page is not there yet, or the question stands before it.
  hidden: {
    'resource.load': true,
    'action.dismiss': true,
    'resource.reload': (view) => isLoading(view) || isAskingResource(view),
    'action.start': (view) => !showsTable(view) || isAskingResource(view),
  },
  calls: {
    'GET /tenant': ['load', () => 'tenants'],
    '/tenant/:id/enable': [
      'act',
      ({ body: { enabled } }, id) => ({
        name: 'enable',
        input: { id, name: schools[id], enabled },
      }),
    ],
  },
  toasts: (toast) =>
    toastText(toast) === refusal.error.message
      ? { type: 'failed', name: 'enable', problem: refusal.error.problem }
      : { type: 'done', name: 'enable', output: toastText(toast) === zh('tenant.enabled') },
  host: () => ({
    show: () => <TenantsPage />,
    reply: (port, outcome) => wrapData(port === 'act' ? null : outcome.output),
  }),
})

function rowText({ id, name, enabled, staff, createTime }: TenantInfo): string {
  const [state, action] = enabled
    ? (['tenant.on', 'tenant.disable'] as const)
    : (['tenant.off', 'tenant.enable'] as const)
  return [id, name, zh(state), staff, createTime, zh(action), zh('tenant.reset')].join('')
}
