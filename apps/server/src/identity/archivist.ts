import { defaultTenant } from '@jiaowu/api/limits'
import { may } from '@jiaowu/api/entity/permission'
import type { Services } from '../model/context.ts'
import { readGranted } from './granted.ts'
import { verifyPassword, verifyUnknownAccount } from './password.ts'
import { isActive, readUser } from './subject.ts'
import type { Archivist } from '../platform/audit/archive.ts'
import { hasSplitDuties } from '../access/duties.ts'
import { AdministratorError } from '../access/split-duties.ts'

/**
 * Finds the person who archives the audit log by the command: where the first school has three
 * administrators, an account with the right to the log, which proves itself. @throws
 * AdministratorError
 */
export async function archivist(
  services: Services,
  account: unknown,
  password: string | undefined,
): Promise<Archivist | undefined> {
  const { kysely } = services.database
  const isNamed = typeof account === 'string' && account !== ''
  if (!isNamed) {
    if (!(await hasSplitDuties(kysely as never, defaultTenant))) return undefined
    throw new AdministratorError(
      'The school has three administrators: name an account with the right audit:view by --by, and set ' +
        'JIAOWU_PASSWORD to its password.',
    )
  }
  const found = await kysely
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', defaultTenant)
    .where('account', '=', account)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const user = found && (await readUser(services, defaultTenant, found.id))
  const isProven =
    user === undefined
      ? await verifyUnknownAccount(password ?? '')
      : await verifyPassword(password ?? '', user.password_hash)
  if (!isProven || !isActive(user))
    throw new AdministratorError(
      `JIAOWU_PASSWORD is not the password of an active account "${account}" of the first school.`,
    )
  const { permissions } = await readGranted(kysely, defaultTenant, user.role_ids)
  if (!may(permissions, 'audit:view'))
    throw new AdministratorError(`Account "${account}" has no right to the audit log.`)
  return { tenant: defaultTenant, userId: user.id, account: user.account }
}
