import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { smsTemplates } from '../../platform/sms/index.ts'
import { type SchoolSetting, schoolSettings } from '../../platform/settings/school-settings.ts'

/** Adds the known settings that a school lacks, so that its parameters show them all: an empty one has its default. */
export async function installSettings(
  db: Kysely<Tables>,
  newId: () => string,
  tenant: string,
  values: Readonly<Partial<Record<SchoolSetting, string>>> = {},
): Promise<void> {
  const rows = await db
    .selectFrom('sys.param')
    .select('code')
    .where('tenant_id', '=', tenant)
    .where('deleted_at', 'is', null)
    .execute()
  const present = new Set(rows.map(({ code }) => code))
  const missing = schoolSettings.filter(({ code }) => !present.has(code))
  if (missing.length === 0) return
  await db
    .insertInto('sys.param')
    .values(
      missing.map(({ code, name }) => ({
        id: newId(),
        tenant_id: tenant,
        code,
        name,
        value: values[code] ?? null,
      })),
    )
    .execute()
}

/** Adds the SMS templates that a school lacks, so that it can change their texts. */
export async function installSmsTemplates(
  db: Kysely<Tables>,
  newId: () => string,
  tenant: string,
): Promise<void> {
  const rows = await db
    .selectFrom('sys.sms_template')
    .select('code')
    .where('tenant_id', '=', tenant)
    .where('deleted_at', 'is', null)
    .execute()
  const present = new Set(rows.map(({ code }) => code))
  const missing = Object.entries(smsTemplates).filter(([code]) => !present.has(code))
  if (missing.length === 0) return
  await db
    .insertInto('sys.sms_template')
    .values(
      missing.map(([code, { name, content }]) => ({
        id: newId(),
        tenant_id: tenant,
        code,
        name,
        content,
      })),
    )
    .execute()
}
