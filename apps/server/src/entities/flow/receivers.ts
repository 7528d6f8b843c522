// People and offices that a task, a copy or a delegation can be given to (docs/rules/contract.md#flows).
import type { FlowPeopleFound } from '@jiaowu/api/contract/entity/flow'
import type { TextKey } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import { accessTo } from '../../access/access.ts'
import { readGranted } from '../../identity/granted.ts'
import { isActive, readPerson, readUser, type UserRecord } from '../../identity/subject.ts'
import type { Context } from '../../model/context.ts'
import type { Person } from '../../platform/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { selectRow } from '../read/row.ts'
import { pick } from './names.ts'

const most = 20

/** Staff who can sign in, and offices, by a part of a name or the beginning of an account. */
export async function findReceivers(context: Context, text: string): Promise<FlowPeopleFound> {
  const { tenant, userId } = context.subject
  const part = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const { rows: people } = await sql<{ id: string; name: string; org: string | null }>`
    select u.id, u.name, o.name as org from sys.app_user u
    left join sys.org o on o.tenant_id = u.tenant_id and o.id = u.org_id and o.tenant_id = ${tenant}::int8
    where u.tenant_id = ${tenant}::int8 and u.deleted_at is null and u.status = '1'
      and u.id <> ${userId}::int8 and (u.name ilike ${part} or u.account ilike ${part.slice(1)})
    order by u.name, u.id limit ${most}`.execute(context.database.untyped)
  const { rows: roles } = await sql<{ code: string; name: string; name_en: string | null }>`
    select r.code, r.name, r.name_en from sys.role r
    where r.tenant_id = ${tenant}::int8 and r.deleted_at is null and r.status = '1'
      and (r.name ilike ${part} or r.code ilike ${part} or r.name_en ilike ${part})
    order by r.name, r.id limit ${most}`.execute(context.database.untyped)
  return {
    people,
    roles: roles.map(({ code, name, name_en }) => ({
      code,
      name: pick(context, { zh: name, en: name_en ?? name }),
    })),
  }
}

export interface Receiver {
  readonly id: string
  readonly name: string
  /** The record that the account belongs to. */
  readonly person: Person | null
}

/** A person of the school who can sign in. @throws Invalid */
export async function findReceiver(context: Context, id: string): Promise<Receiver> {
  const user = await findUser(context, id)
  return { id: user.id, name: user.name, person: readPerson(user) }
}

async function findUser(context: Context, id: string) {
  const user = /^\d{1,19}$/.test(id)
    ? await readUser(context, context.subject.tenant, id)
    : undefined
  if (!isActive(user)) throw refuseReceiver('flow.hand.nobody')
  return user
}

/** A person who may view the record, so that a task shows them nothing new. @throws Invalid */
export async function findDecider(
  context: Context,
  entity: LoadedEntity,
  rowId: string,
  id: string,
): Promise<Receiver> {
  const user = await findUser(context, id)
  const subject = await loadSubject(context, user)
  const access = await accessTo({ ...context, subject }, entity, 'view').catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  if (access === null || (await selectRow(databaseOf(context), access, [], rowId)) === undefined)
    throw refuseReceiver('flow.hand.unseen', { name: user.name })
  return { id: user.id, name: user.name, person: readPerson(user) }
}

/** The account with the roles that it has now, as flows see it. */
export async function loadSubject(
  { database, subject: { tenant } }: Context,
  user: UserRecord,
): Promise<Context['subject']> {
  return {
    kind: 'staff',
    userId: user.id,
    account: user.account,
    name: user.name,
    tenant,
    sessionId: '',
    ...(await readGranted(database.kysely, tenant, user.role_ids)),
    org: user.org_id === null ? null : { id: user.org_id, name: user.org_name ?? '' },
    person: readPerson(user),
  }
}

/** An office that somebody holds. @throws Invalid */
export async function findOffice(context: Context, code: string): Promise<string> {
  const { tenant } = context.subject
  const { rows } = await sql<{ name: string; name_en: string | null }>`
    select r.name, r.name_en from sys.role r
    where r.tenant_id = ${tenant}::int8 and r.code = ${code} and r.deleted_at is null
      and r.status = '1' and exists (
        select 1 from sys.app_user u
        where u.tenant_id = ${tenant}::int8 and u.deleted_at is null and u.status = '1'
          and r.id::text = any(u.role_ids))`.execute(context.database.untyped)
  const [role] = rows
  if (role === undefined) throw refuseReceiver('flow.hand.noOffice', { name: code }, 'role')
  return pick(context, { zh: role.name, en: role.name_en ?? role.name })
}

export function refuseReceiver(
  key: Extract<TextKey, `flow.hand.${string}`>,
  params: Readonly<Record<string, string>> = {},
  path = 'to',
): Invalid {
  return new Invalid([{ path, rule: 'flow', message: { key, params } }])
}
