import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import type { NewAccount } from '@jiaowu/api/contract/administration/account'
import type { Locale } from '@jiaowu/api/locale'
import { messageText } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import { oneTimePassword } from '../../identity/one-time-password.ts'
import { hashPassword, oneTimeCost } from '../../identity/password.ts'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { accessTo, isAllowed } from '../../access/access.ts'
import { guardAccounts, passwordLengthFor } from '../write/accounts.ts'
import { createRow } from '../write/write.ts'
import { handOver } from '../flow/hand-over.ts'
import { writeRows } from '../write/write-rows.ts'
import type { RowWriter } from '../write/writer.ts'
import {
  type LoadedEntity,
  type LoadedField,
  readableFields,
  valueFields,
} from '../../model/definition/loaded.ts'
import { type LockedRow, lockRow } from '../read/row.ts'
import { bothLanguages, sendMessage } from '../../platform/messages.ts'
import { forbidden, Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { transact } from '../../platform/database/transact.ts'
import { countFactors, type FactorOwner } from '../../identity/factor/factors.ts'
import { forgetBrowsers } from '../../identity/factor/known-browsers.ts'
import { askReset, findReset, removeFactors } from '../../identity/factor/reset.ts'
import { endSessions } from '../../identity/own-sessions.ts'
import { endAllSessions } from '../../identity/sessions.ts'

export const accountHandlers: ServerHandlers['account'] = {
  createMany: async ({ body: { accounts } }, context) => {
    const entity = await context.registry.get(context.subject.tenant, 'SYS_USER')
    const field = valueFields(entity).find(({ kind }) => kind.secret)
    const access = await accessTo(context, entity, 'add')
    if (field === undefined || !isAllowed(access, field, 'add')) throw forbidden()
    const made: NewAccount[] = []
    const length = await passwordLengthFor(context, entity)
    for (const [index, values] of accounts.entries()) {
      const given = { ...values, [field.definition.attrName]: oneTimePassword(length) }
      made.push({ index, ...(await addAccount(context, entity, given, field)) })
    }
    return made
  },
  resetPassword: async ({ params: { id } }, context) => {
    const { subject } = context
    if (id === subject.userId) throw new Refusal(409, { key: 'account.notOwn' })
    const { entity, access } = await loadAccounts(context)
    const password = oneTimePassword()
    const event = { action: 'account.resetPassword', object: 'SYS_USER', objectId: id } as const
    const hash = await hashPassword(password)
    const writer: RowWriter = {
      context,
      entity,
      isJob: false,
      add: null,
      change: access,
      audit: (trx) => context.audit({ ...event, result: 'ok' }, trx),
    }
    const user = await transact(databaseOf(context), async (trx) => {
      const { row: stored, field } = await lockAccount(trx, context, { entity, access }, id)
      await writeRows(trx, writer, [
        { kind: 'update', id, changes: [{ field, value: hash }], stored },
      ])
      return await readNames(trx, context, id)
    })
    return { ...user, password }
  },
  endSessions: async ({ params: { id } }, context) => {
    const { subject } = context
    if (id === subject.userId) throw new Refusal(409, { key: 'account.notOwnSessions' })
    return await onAccount(context, id, async (trx, user, owner) => {
      const ended = await endSessions(trx, context, { ...owner, kind: 'staff' }, 'byAdministrator')
      if (ended.length > 0)
        await sendMessage(trx, context, {
          tenant: subject.tenant,
          receivers: [id],
          ...bothLanguages('session.ended.title', 'session.ended.content', { name: subject.name }),
        })
      await forgetBrowsers(trx, owner)
      context.audit(
        {
          action: 'account.endSessions',
          object: 'SYS_USER',
          objectId: id,
          result: 'ok',
          detail: { ended: ended.length },
        },
        trx,
      )
      return { ...user, ended: ended.length }
    })
  },
  handOver: async ({ params: { id }, body }, context) => {
    if (id === context.subject.userId) throw new Refusal(409, { key: 'account.notOwnTodos' })
    const user = await onAccount(context, id, (_trx, found) => Promise.resolve(found))
    return { ...user, ...(await handOver(context, id, body)) }
  },
  factors: async ({ params: { id } }, context) =>
    await onAccount(context, id, async (trx, user, owner) => {
      const asked = await findReset(trx, context, owner)
      return {
        ...user,
        count: await countFactors(trx, owner),
        asked:
          asked === undefined
            ? null
            : { by: asked.name, at: asked.at, own: asked.askedBy === context.subject.userId },
      }
    }),
  resetFactors: async ({ params: { id } }, context) => {
    const { userId, name } = context.subject
    if (id === userId) throw new Refusal(409, { key: 'factor.notOwn' })
    return await onAccount(context, id, async (trx, user, owner) => {
      if ((await countFactors(trx, owner)) === 0) throw new Refusal(409, { key: 'factor.none' })
      const asked = await findReset(trx, context, owner)
      const isReset = asked !== undefined && asked.askedBy !== userId
      if (isReset) {
        await removeFactors(trx, owner)
        await endAllSessions(trx, context, owner, 'byAdministrator')
      } else await askReset(trx, context, owner, userId)
      await sendMessage(trx, context, {
        tenant: owner.tenant,
        receivers: [id],
        ...(isReset
          ? bothLanguages('factor.resetTitle', 'factor.resetContent', { name, by: asked.name })
          : bothLanguages('factor.askedTitle', 'factor.askedContent', { name })),
      })
      context.audit(
        {
          action: isReset ? 'account.resetFactors' : 'account.askFactorReset',
          object: 'SYS_USER',
          objectId: id,
          result: 'ok',
          ...(isReset && { detail: { askedBy: asked.askedBy } }),
        },
        trx,
      )
      return { ...user, isReset }
    })
  },
}

/** Makes one account with a one-time password; what refuses it stops no other. */
async function addAccount(
  context: Context,
  entity: LoadedEntity,
  values: Readonly<Record<string, unknown>>,
  { definition: { attrName } }: LoadedField,
): Promise<Omit<NewAccount, 'index'>> {
  const account = String(values['account'] ?? '')
  try {
    const { id } = await createRow(context, entity, values, {
      hash: (given) => hashPassword(given, oneTimeCost),
    })
    return { account, id, password: String(values[attrName]), issues: [] }
  } catch (error) {
    return { account, id: null, password: null, issues: readIssues(error, context.locale) }
  }
}

/** @throws what is no refusal, and a refusal that concerns the caller rather than the row */
function readIssues(error: unknown, locale: Locale): NewAccount['issues'] {
  if (error instanceof Invalid)
    return error.faults.map(({ path, rule, message }) => ({
      path,
      rule,
      msg: messageText(locale, message),
    }))
  if (error instanceof Refusal && error.status === 409)
    return [{ path: '', rule: 'refused', msg: messageText(locale, error.text) }]
  throw error
}

/**
 * Acts on an account that the caller may sign out, in a transaction that holds its row.
 * @throws Refusal 403, 404
 */
async function onAccount<T>(
  context: Context,
  id: string,
  act: (
    trx: Context['database']['kysely'],
    user: { readonly account: string; readonly name: string },
    owner: FactorOwner,
  ) => Promise<T>,
): Promise<T> {
  const accounts = await loadAccounts(context)
  return await transact(context.database.kysely, async (trx) => {
    const untyped = trx as unknown as AnyDatabase
    await lockAccount(untyped, context, accounts, id)
    const user = await readNames(untyped, context, id)
    return await act(trx, user, { tenant: context.subject.tenant, userId: id })
  })
}

interface Accounts {
  readonly entity: LoadedEntity
  readonly access: Awaited<ReturnType<typeof accessTo>>
}

/** @throws Refusal 403 */
async function loadAccounts(context: Context): Promise<Accounts> {
  const entity = await context.registry.get(context.subject.tenant, 'SYS_USER')
  return { entity, access: await accessTo(context, entity, 'update') }
}

/**
 * Locks an account that the caller may sign out: one within their rows, whose password they may set and
 * which holds no more rights than they. @throws Refusal 403, 404
 */
async function lockAccount(
  trx: AnyDatabase,
  context: Context,
  { entity, access }: Accounts,
  id: string,
): Promise<LockedRow & { readonly field: LoadedField }> {
  const locked = await lockRow(trx, access, readableFields(entity), id)
  if (locked === undefined) throw notFound()
  const field = valueFields(entity).find(({ kind }) => kind.secret)
  if (field === undefined || !isAllowed(locked.access, field, 'edit')) throw forbidden()
  await guardAccounts(trx, context, entity, [id])
  return { ...locked, field }
}

/** @throws Refusal 404 */
async function readNames(
  trx: AnyDatabase,
  { subject: { tenant } }: Context,
  id: string,
): Promise<{ readonly account: string; readonly name: string }> {
  const { rows } = await sql<{ account: string; name: string }>`
    select account, name from sys.app_user
    where tenant_id = ${tenant}::int8 and id = ${id}::int8`.execute(trx)
  const [found] = rows
  if (found === undefined) throw notFound()
  return found
}
