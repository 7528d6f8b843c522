import { sql } from 'kysely'
import { oneTimePassword } from '../one-time-password.ts'
import { hashPassword } from '../password.ts'
import type { ServerHandlers } from '../../context.ts'
import { accessTo, isAllowed } from '../../access/access.ts'
import { afterPasswordChange, guardAccounts } from '../../entities/write/accounts.ts'
import { readableFields, valueFields } from '../../entities/definition/loaded.ts'
import { lockRow } from '../../entities/read/row.ts'
import { databaseOf } from '../../entities/read/rows.ts'
import { forbidden, notFound, Refusal } from '../../platform/refusal.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'

export const accountHandlers: ServerHandlers['account'] = {
  resetPassword: async ({ params: { id } }, context) => {
    const { subject } = context
    if (id === subject.userId) throw new Refusal(409, { key: 'account.notOwn' })
    const entity = await context.registry.get(subject.tenant, 'SYS_USER')
    const access = await accessTo(context, entity, 'update')
    const password = oneTimePassword()
    const event = { action: 'account.resetPassword', object: 'SYS_USER', objectId: id } as const
    const hash = await hashPassword(password)
    const user = await transact(databaseOf(context), async (trx) => {
      const locked = await lockRow(trx, access, readableFields(entity), id)
      if (locked === undefined) throw notFound()
      const field = valueFields(entity).find(({ kind }) => kind.secret)
      if (field === undefined || !isAllowed(locked.access, field, 'edit')) throw forbidden()
      await guardAccounts(trx, context, entity, [id])
      const updated = await sql<{ account: string; name: string }>`
        update sys.app_user set password_hash = ${hash}, version = version + 1, update_time = now(),
          update_user = ${subject.userId}::int8
        where id = ${id}::int8 and tenant_id = ${subject.tenant}::int8
        returning account, name`.execute(trx)
      exactlyOne(updated, entity.definition.name)
      await afterPasswordChange(trx, context, entity, id)
      context.audit({ ...event, result: 'ok' }, trx)
      return updated.rows[0]
    })
    if (user === undefined) throw notFound()
    return { ...user, password }
  },
}
