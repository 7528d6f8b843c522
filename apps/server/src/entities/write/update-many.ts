// Gives several rows the same values in one transaction: all of them or none.
import { accessTo } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { isHashed } from '../../model/definition/account-password.ts'
import { type LoadedEntity, readableFields, valueFields } from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { transact } from '../../platform/database/transact.ts'
import { forbidden, Invalid, notFound, stale } from '../../platform/refusal.ts'
import { lockRows } from '../read/row.ts'
import { passwordLengthFor } from './accounts.ts'
import type { Body } from './values/values.ts'
import { explainViolation } from './violations.ts'
import { checkUpdate, createUpdateWriter } from './write.ts'
import { writeRows } from './write-rows.ts'
import type { RowWrite } from './writer.ts'

/**
 * @param versions of the rows, by id, as they were read
 * @throws Invalid; Refusal 404; 403 for passwords; 409/40900 when a row has another version
 */
export async function updateMany(
  context: Context,
  entity: LoadedEntity,
  versions: ReadonlyMap<string, string>,
  body: Body,
): Promise<void> {
  const access = await accessTo(context, entity, 'update')
  const isPassword = valueFields(entity).some(
    (field) => isHashed(entity, field) && Object.hasOwn(body, field.definition.attrName),
  )
  if (isPassword) throw forbidden()
  const passwordLength = await passwordLengthFor(context, entity)
  const writer = await createUpdateWriter(context, access)
  const db = databaseOf(context)
  let tried: RowWrite[] = []
  await transact(db, async (trx) => {
    const locked = await lockRows(trx, access, readableFields(entity), [...versions.keys()])
    tried = [...versions].map(([id, version]): RowWrite => {
      const found = locked.get(id)
      if (found === undefined) throw notFound()
      if (String(found.row.version) !== version) throw stale(null)
      const { changes, faults } = checkUpdate(found.access, found.row, body, passwordLength)
      if (faults.length > 0) throw new Invalid(faults)
      return { kind: 'update', id, changes, stored: found.row }
    })
    await writeRows(trx, writer, tried)
  }).catch((error: unknown) =>
    explainViolation(access, {
      context,
      db,
      changes: tried.flatMap(({ changes }) => changes),
    })(error),
  )
}
