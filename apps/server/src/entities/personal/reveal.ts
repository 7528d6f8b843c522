// Shows one value of personal data in full, to those with the right, for a recorded reason
// (docs/rules/security.md#d5).
import { limits } from '@jiaowu/api/limits'
import { may } from '@jiaowu/api/entity/permission'
import { scrubPersonal } from '@jiaowu/api/pii'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { Context } from '../../model/context.ts'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { detailFields, selectRow } from '../read/row.ts'
import { buildFilterFault, unknownField } from '../read/query.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { toSheetCell } from '../sheets/cells.ts'
import { increment } from '../../platform/limits/rate-limits.ts'
import { forbidden, Invalid, notFound, Refusal } from '../../platform/refusal.ts'

/** How long clients show the value. */
const revealSeconds = 60
const hour = 3_600_000

/** The reason as the audit log keeps it. @throws Invalid below 4 characters */
export function requireReason(reason: string | undefined): string {
  const text = (reason ?? '').trim()
  if ([...text].length < limits.reasonShortest)
    throw new Invalid([
      buildFilterFault('reason', 'minLength', {
        key: 'pii.reasonShort',
        params: { n: limits.reasonShortest },
      }),
    ])
  return scrubPersonal(text)
}

interface Asked {
  readonly id: string
  readonly field: string
  readonly reason?: string | undefined
}

/**
 * The value, after the audit line that names the row, the field and the reason.
 * @throws Refusal 403 without `pii:reveal`, 404 for a row that the caller does not see, 429 beyond
 * the hour's budget; Invalid for another field than one of personal data, or a short reason
 */
export async function revealValue(
  context: Context,
  entity: LoadedEntity,
  { id, field: attrName, reason }: Asked,
): Promise<{ value: string; seconds: number }> {
  const access = await accessTo(context, entity, 'view')
  const event = { action: 'pii.reveal', object: entity.tag, objectId: id } as const
  const deny = (why: string) => context.auditAlone({ ...event, result: 'denied', detail: { why } })
  if (!may(context.subject.permissions, 'pii:reveal')) {
    await deny('right')
    throw forbidden()
  }
  const { field, value } = await storedValue(context, access, id, attrName)
  const why = requireReason(reason)
  if (!(await isWithinBudget(context))) {
    await deny('budget')
    throw new Refusal(
      429,
      { key: 'pii.budget', params: { n: context.settings.revealsPerHour } },
      { retryAfter: hour / 1000 },
    )
  }
  const text = toSheetCell(field, value, context.locale)
  const shown = text === null ? '' : String(text)
  await context.auditAlone({
    ...event,
    result: 'ok',
    detail: {
      field: attrName,
      reason: shown === '' ? why : why.replaceAll(shown, '***'),
    },
  })
  return { value: shown, seconds: revealSeconds }
}

async function storedValue(
  context: Context,
  access: EntityAccess,
  id: string,
  attrName: string,
): Promise<{ readonly field: LoadedField; readonly value: WireValue | undefined }> {
  const fields = detailFields(access)
  const row = await selectRow(databaseOf(context), access, fields, id, 'stored')
  if (row === undefined) throw notFound()
  const field = fields.find(({ definition }) => definition.attrName === attrName)
  if (field === undefined || field.pii === null || !Object.hasOwn(row, attrName))
    throw new Invalid([unknownField('field')])
  return { field, value: row[attrName] }
}

/** Counts the reveal against the person's hour, which starts with the first. */
async function isWithinBudget({ database, settings, subject, now }: Context): Promise<boolean> {
  const key = `reveal:${subject.tenant}:${subject.userId}`
  return (await increment(database, key, hour, now())) <= settings.revealsPerHour
}
