import { type EntityAction, entityPermission, may } from '@jiaowu/api/entity/permission'
import { mayProposeDecisions } from '../../identity/api-tokens.ts'
import { readGranted } from '../../identity/granted.ts'
import { sessionRefusal } from '../../identity/sessions.ts'
import { isActive, readUser } from '../../identity/subject.ts'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'

/**
 * The call as the person of the token makes it, with their offices: a flow asks for these, and a token has none.
 * For reads and previews of flows alone; the caller has checked the token's own right.
 */
export async function asPerson(context: Context): Promise<Context> {
  const { subject } = context
  if (subject.token === undefined) return context
  const user = await readUser(context, subject.tenant, subject.userId)
  if (!isActive(user)) throw sessionRefusal(40005, 'problem.accountDisabled')
  const granted = await readGranted(context.database.kysely, subject.tenant, user.role_ids)
  return { ...context, subject: { ...subject, ...granted } }
}

/** Whether the caller, or the agent with its token, may decide in the flow of the entity or propose to. */
export function mayDecide({ subject }: Context, { tag, definition }: LoadedEntity): boolean {
  return (
    definition.options.flow !== undefined &&
    may(subject.permissions, entityPermission(tag, 'view')) &&
    (subject.token === undefined || mayProposeDecisions(subject.token.rights))
  )
}

export function mayOn({ subject }: Context, tag: string, action: EntityAction): boolean {
  return may(subject.permissions, entityPermission(tag, action))
}
