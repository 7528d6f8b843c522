// `npm run server -- factor reset`: see docs/rules/security.md#s10.
import { removeFactors } from '../../identity/factor/reset.ts'
import { endAllSessions } from '../../identity/sessions.ts'
import { auditIn } from '../../platform/audit/write.ts'
import { transact } from '../../platform/database/transact.ts'
import { type Command, exit, print, UsageError, withAuditLog } from './command.ts'

export const factorResetCommand: Command = {
  usage: 'SCHOOL ACCOUNT',
  help: 'remove the second factors of an account, where no two administrators are left to do so',
  positionals: 2,
  run: async ({ positionals: [school = '', account = ''] }) => {
    if (!/^\d{1,18}$/.test(school))
      throw new UsageError(`"${school}" is not the number of a school.`)
    const removed = await withAuditLog((services) => resetFactors(services, school, account))
    if (removed === 0) throw new UsageError(`The account "${account}" has no second factor.`)
    print(`${account}: ${removed} removed; its sessions have ended.`)
    return exit.done
  },
}

type Services = Parameters<Parameters<typeof withAuditLog>[0]>[0]

/** @throws UsageError for an unknown account */
async function resetFactors(services: Services, tenant: string, account: string): Promise<number> {
  return await transact(services.database.kysely, async (trx) => {
    const user = await trx
      .selectFrom('sys.app_user')
      .select('id')
      .where('tenant_id', '=', tenant)
      .where('account', '=', account)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (user === undefined) throw new UsageError(`School ${tenant} has no account "${account}".`)
    const owner = { tenant, userId: user.id }
    const removed = await removeFactors(trx, owner)
    if (removed === 0) return 0
    await endAllSessions(trx, services, owner, 'byAdministrator')
    auditIn(
      services,
      trx,
      { tenant, userId: null, account: null, ip: '', traceId: '' },
      {
        action: 'account.resetFactors',
        object: 'SYS_USER',
        objectId: user.id,
        result: 'ok',
        detail: { by: 'command', account },
      },
    )
    return removed
  })
}
