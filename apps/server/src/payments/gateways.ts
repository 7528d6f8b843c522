import type { Services } from '../model/context.ts'
import { observeCall } from '../platform/provider-calls.ts'
import { type Settings, SettingsError } from '../platform/settings/settings.ts'
import type { PayDriver, PayGateway } from './gateway.ts'
import { sandboxGateway } from './sandbox/gateway.ts'
import { type WechatGateway, wechatGateway } from './wechat/gateway.ts'

/** How each value of PAY_DRIVER makes its gateway. @throws SettingsError when its account or key is missing */
const drivers = {
  sandbox: sandboxGateway,
  wechat: (services) => {
    const { wechat } = services.settings
    if (wechat === undefined)
      throw new SettingsError('PAY_DRIVER wechat needs the WECHAT_* settings.')
    return wechatGateway(wechat, services)
  },
} as const satisfies Record<PayDriver, (services: Services) => PayGateway>

const gateways = new WeakMap<Settings, PayGateway>()

/** The gateway of PAY_DRIVER, one per settings object. @throws SettingsError when its key file cannot be read */
export function findGateway(services: Services): PayGateway {
  const { settings } = services
  const gateway =
    gateways.get(settings) ?? observeGateway(services, drivers[settings.payDriver](services))
  gateways.set(settings, gateway)
  return gateway
}

/** Counts and logs every call of a gateway. */
function observeGateway<T extends PayGateway>(services: Services, gateway: T): T {
  const { log } = services
  const call = <R>(operation: string, number: string, run: () => Promise<R>) =>
    observeCall({ log }, { provider: gateway.name, operation }, run, { number })
  return {
    ...gateway,
    create: (order) => call('create', order.orderNo, () => gateway.create(order)),
    query: (orderNo, timeoutMs) => call('query', orderNo, () => gateway.query(orderNo, timeoutMs)),
    close: (orderNo) => call('close', orderNo, () => gateway.close(orderNo)),
    refund: (refund) => call('refund', refund.refundNo, () => gateway.refund(refund)),
    queryRefund: (no) => call('queryRefund', no, () => gateway.queryRefund(no)),
    bill: (day) => call('bill', day, () => gateway.bill(day)),
  } satisfies T
}

/** The gateway when PAY_DRIVER is wechat; undefined for every other driver. */
export function findWechatGateway(services: Services): WechatGateway | undefined {
  const gateway = findGateway(services)
  return isWechat(gateway) ? gateway : undefined
}

function isWechat(gateway: PayGateway): gateway is WechatGateway {
  return gateway.name === 'wechat'
}
