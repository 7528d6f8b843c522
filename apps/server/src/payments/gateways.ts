import type { Services } from '../context.ts'
import type { PayGateway } from './gateway.ts'
import { sandboxGateway } from './sandbox/gateway.ts'
import { wechatGateway } from './wechat/gateway.ts'

const gateways = new WeakMap<Services['settings'], PayGateway>()
/** The gateway of PAY_DRIVER: one for all that share the settings. @throws SettingsError when its key file cannot be read */
export function gatewayOf(services: Services): PayGateway {
  const { settings } = services
  const known =
    gateways.get(settings) ??
    (settings.wechat === undefined
      ? sandboxGateway(services)
      : wechatGateway(settings.wechat, services))
  gateways.set(settings, known)
  return known
}
