// `npm run server -- admin reset`: see docs/operations.md.
import { defaultTenant } from '@jiaowu/api/limits'
import { removeFactors } from '../../identity/factor/reset.ts'
import { hashPassword } from '../../identity/password.ts'
import { endAllSessions } from '../../identity/sessions.ts'
import { unblockSignIn } from '../../identity/sign-in.ts'
import type { Services } from '../../model/context.ts'
import { listAdministrators } from '../../platform/administrators.ts'
import { auditIn } from '../../platform/audit/write.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'
import { generatePassword } from '../install/generate-password.ts'
import { type Command, exit, print, UsageError, withAuditLog } from './command.ts'

export const adminResetCommand: Command = {
  usage: '[--school SCHOOL] [--account ACCOUNT] [--factors]',
  help: 'give an administrator who is locked out a new password, printed once',
  options: {
    school: { type: 'string' },
    account: { type: 'string' },
    factors: { type: 'boolean' },
  },
  run: async ({ options: { school = defaultTenant, account = 'admin', factors } }) => {
    if (!/^\d{1,18}$/.test(String(school)))
      throw new UsageError(`"${String(school)}" is not the number of a school.`)
    const password = generatePassword()
    const reset = { tenant: String(school), account: String(account), factors: factors === true }
    const { isAdministrator, removed } = await withAuditLog((services) =>
      resetAccount(services, reset, password),
    )
    print(`${reset.account}: password ${password}   ← shown only this once`)
    print('It must be changed at the next sign-in. The sessions of the account have ended.')
    if (removed > 0) print(`${removed} second factors were removed.`)
    if (!isAdministrator)
      print(
        `${reset.account} is no administrator: "administrators join ${reset.tenant} --account ${reset.account}" ` +
          'makes it one.',
      )
    return exit.done
  },
}

interface Reset {
  readonly tenant: string
  readonly account: string
  /** Removes its second factors too. */
  readonly factors: boolean
}

/** @throws UsageError for an unknown account */
async function resetAccount(
  services: Services,
  { tenant, account, factors }: Reset,
  password: string,
): Promise<{ isAdministrator: boolean; removed: number }> {
  const password_hash = await hashPassword(password)
  return await transact(services.database.kysely, async (trx) => {
    const administrators = await listAdministrators(trx, tenant)
    const user = await trx
      .selectFrom('sys.app_user')
      .select('id')
      .where('tenant_id', '=', tenant)
      .where('account', '=', account)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (user === undefined) {
      const known = await trx
        .selectFrom('sys.app_user')
        .select('account')
        .where('tenant_id', '=', tenant)
        .where('id', 'in', ['0', ...administrators])
        .orderBy('account')
        .execute()
      const names = known.map((row) => row.account).join(', ') || 'nobody'
      throw new UsageError(
        `School ${tenant} has no account "${account}". Its administrators: ${names}.`,
      )
    }
    exactlyOne(
      await trx
        .updateTable('sys.app_user')
        .set({
          password_hash,
          password_changed_at: services.now(),
          must_change_password: true,
          status: '1',
        })
        .where('tenant_id', '=', tenant)
        .where('id', '=', user.id)
        .executeTakeFirst(),
      account,
    )
    const owner = { tenant, userId: user.id }
    const removed = factors ? await removeFactors(trx, owner) : 0
    await endAllSessions(trx, services, owner, 'byAdministrator')
    await unblockSignIn(trx, tenant, account)
    auditIn(
      services,
      trx,
      { tenant, userId: null, account: null, ip: '', traceId: '' },
      {
        action: 'account.resetPassword',
        object: 'SYS_USER',
        objectId: user.id,
        result: 'ok',
        detail: { by: 'command', account, factors: removed },
      },
    )
    return { isAdministrator: administrators.includes(user.id), removed }
  })
}
