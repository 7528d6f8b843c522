import type { ServerHandlers } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { decideDevice, lookAtDevice, pollDevice, startDevice } from '../device-codes.ts'
import { deviceName } from '../device-name.ts'

export const deviceHandlers: ServerHandlers['device'] = {
  start: (_input, context) => startDevice(context),
  poll: ({ body: { deviceCode } }, context) => pollDevice(context, deviceCode),
  look: async ({ body: { userCode } }, context) => {
    const { address, user_agent, created_at } = await lookAtDevice(context, userCode)
    return {
      device: deviceName(user_agent),
      address,
      began: new Date(created_at).toISOString(),
      sameAddress: address === context.ip,
    }
  },
  decide: async ({ body }, context) => {
    await lookAtDevice(context, body.userCode)
    if (body.agree) await context.proveFresh()
    await transact(context.database.kysely, async (trx) => {
      const address = await decideDevice(trx, context, body)
      const action = body.agree ? 'session.deviceAgree' : 'session.deviceRefuse'
      context.audit({ action, result: 'ok', detail: { address } }, trx)
    })
    return null
  },
}
