import type { ServerHandlers } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { decideDevice, lookAtDevice, pollDevice, pollProof, startDevice } from '../device-codes.ts'
import { deviceName } from '../device-name.ts'
import { proofTokenLife } from '../fresh-proof.ts'
import { readFamily } from '../own-sessions.ts'

export const deviceHandlers: ServerHandlers['device'] = {
  start: (_input, context) => startDevice(context),
  poll: ({ body: { deviceCode } }, context) => pollDevice(context, deviceCode),
  startProof: async (_input, context) => {
    const { tenant, userId } = context.subject
    return await startDevice(context, { tenant, userId, family: await readFamily(context) })
  },
  pollProof: async ({ body: { deviceCode } }, context) => ({
    token: await pollProof(context, deviceCode),
    expiresIn: proofTokenLife / 1000,
  }),
  look: async ({ body: { userCode } }, context) => {
    const { address, user_agent, created_at, family_id } = await lookAtDevice(context, userCode)
    return {
      device: deviceName(user_agent),
      address,
      began: new Date(created_at).toISOString(),
      sameAddress: address === context.ip,
      proves: family_id !== null,
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
