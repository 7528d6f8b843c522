// Length and age of passwords of staff, as a school sets them (docs/rules/security.md#p1).
import type { Services } from '../model/context.ts'
import { readSchoolSettings } from '../platform/settings/school-settings.ts'
import type { UserRecord } from './subject.ts'

const day = 24 * 3_600_000

/** Characters that a new password needs. */
export async function readPasswordLength(
  { database: { kysely } }: Pick<Services, 'database'>,
  tenant: string,
): Promise<number> {
  return (await readSchoolSettings(kysely, tenant, ['PASSWORD_MIN_LENGTH'])).PASSWORD_MIN_LENGTH
}

/** Whether a password is older than the school allows. */
export async function isPasswordOld(
  { database: { kysely }, now }: Pick<Services, 'database' | 'now'>,
  { tenant_id, password_changed_at }: Pick<UserRecord, 'tenant_id' | 'password_changed_at'>,
): Promise<boolean> {
  const { PASSWORD_MAX_DAYS } = await readSchoolSettings(kysely, tenant_id, ['PASSWORD_MAX_DAYS'])
  return (
    PASSWORD_MAX_DAYS > 0 &&
    new Date(password_changed_at).getTime() + PASSWORD_MAX_DAYS * day < now().getTime()
  )
}
