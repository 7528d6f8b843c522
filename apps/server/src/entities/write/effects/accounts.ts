// The rules of accounts and roles (../accounts.ts), for rows of their tables through whatever entity.
import { isEmpty } from '@jiaowu/api/fields/kinds'
import {
  afterPasswordChange,
  assertAdministratorRemains,
  guardAccounts,
  guardPersons,
  isGranting,
  keepOwnRoles,
} from '../accounts.ts'
import { type Batch, keyOf, keysOf } from '../writer.ts'

export async function assertRights({ trx, writer, rows }: Batch): Promise<void> {
  await guardAccounts(trx, writer.context, writer.entity, keysOf(rows))
}

export async function assertOwnRoles({ trx, writer, rows }: Batch): Promise<() => Promise<void>> {
  return await keepOwnRoles(trx, writer.context, writer.entity, keysOf(rows))
}

export async function assertOnePerson({ trx, writer, rows }: Batch): Promise<void> {
  await guardPersons(trx, writer.context, writer.entity, keysOf(rows))
}

export async function assertAdministrators({ trx, writer }: Batch): Promise<void> {
  await assertAdministratorRemains(trx, writer.context, writer.entity)
}

/** Jobs have asked when they were started. */
export async function askFreshProof({ trx, writer, rows }: Batch): Promise<void> {
  const isGrant = rows.some(({ changes }) =>
    changes.some(({ field, value }) => isGranting(writer.entity, field) && !isEmpty(value)),
  )
  if (isGrant) await writer.context.proveFresh(trx)
}

export async function endSessionsOfPassword({ trx, writer, rows }: Batch): Promise<void> {
  for (const row of rows)
    if (row.changes.some(({ field, value }) => field.kind.secret && !isEmpty(value)))
      await afterPasswordChange(trx, writer.context, writer.entity, keyOf(row))
}
