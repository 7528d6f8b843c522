// The caller as a flow sees them: in their own name, and in the name of those whose substitute they are today
// (docs/rules/contract.md#flows).
import { schoolDay } from '@jiaowu/api/formats'
import type { CompiledFlow, FlowCase, FlowOffer } from '@jiaowu/machines/flow/flow'
import { listOffers } from '@jiaowu/machines/flow/flow'
import { isWaitedFor, resolveAllowed } from '@jiaowu/machines/flow/hands'
import { buildTermKey, type FlowPerson } from '@jiaowu/machines/flow/people'
import { type QueryExecutorProvider, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { Subject } from '../../platform/context.ts'
import { type FlowRow, identifyPerson, toFlowPerson } from './row-people.ts'

/** A person in whose name the caller may decide. */
export interface Principal extends Pick<Subject, 'userId' | 'name' | 'roles' | 'org' | 'person'> {
  /** Entities; empty for all. */
  readonly tags: readonly string[]
}

/** An offer with the person in whose name it is; null in the caller's own. */
export interface OwnedOffer extends FlowOffer {
  readonly person: FlowPerson
  readonly principal: Principal | null
}

/** People who have made the caller their substitute for today, and can sign in themselves. */
export async function loadPrincipals(
  db: QueryExecutorProvider,
  { subject: { tenant, userId, kind }, now }: Pick<Context, 'subject' | 'now'>,
): Promise<readonly Principal[]> {
  if (kind !== 'staff') return []
  const today = schoolDay(now())
  const { rows } = await sql<{
    id: string
    name: string
    org_id: string | null
    person_tag: string | null
    person_id: string | null
    tags: readonly string[]
    roles: readonly string[]
  }>`
    select u.id, u.name, u.org_id, u.person_tag, u.person_id, d.tags, array(
      select r.code from sys.role r
      where r.tenant_id = ${tenant}::int8 and r.id::text = any(u.role_ids) and r.status = '1'
        and r.deleted_at is null) as roles
    from sys.flow_delegation d
    join sys.app_user u on u.tenant_id = d.tenant_id and u.id = d.user_id
    where d.tenant_id = ${tenant}::int8 and u.tenant_id = ${tenant}::int8
      and d.substitute_id = ${userId}::int8 and d.ended_at is null
      and d.starts_on <= ${today}::date and d.ends_on >= ${today}::date
      and u.deleted_at is null and u.status = '1'
    order by d.create_time, d.id`.execute(db)
  return rows.map((row) => ({
    userId: row.id,
    name: row.name,
    roles: row.roles,
    org: row.org_id === null ? null : { id: row.org_id, name: '' },
    person:
      row.person_tag === null || row.person_id === null
        ? null
        : { tag: row.person_tag, id: row.person_id },
    tags: row.tags,
  }))
}

/** The caller in their own name first. */
export function listPersons(
  { subject }: Pick<Context, 'subject'>,
  principals: readonly Principal[],
  tag: string,
  row: FlowRow,
  flowCase: FlowCase,
): readonly { readonly person: FlowPerson; readonly principal: Principal | null }[] {
  const { context } = flowCase
  const see = (who: Pick<Subject, 'userId' | 'roles' | 'org' | 'person'>): FlowPerson => {
    const { id, terms } = toFlowPerson(who, row, flowCase)
    const offices = (context.added ?? []).flatMap(({ role }) =>
      role !== null && who.roles.includes(role) ? [buildTermKey({ role })] : [],
    )
    return { id, terms: [...new Set([...terms, ...offices])] }
  }
  return [
    { person: see(subject), principal: null },
    ...principals
      .filter(({ tags }) => tags.length === 0 || tags.includes(tag))
      .map((principal) => ({
        person: {
          ...see(principal),
          id: identifyPerson(subject, context.applicant),
          for: identifyPerson(principal, context.applicant),
        },
        principal,
      })),
  ]
}

/** The events that the caller may send. What they may in their own name is not offered in that of another. */
export function listOwnOffers(
  flow: CompiledFlow,
  flowCase: FlowCase,
  persons: ReturnType<typeof listPersons>,
  row: FlowRow,
): readonly OwnedOffer[] {
  const found = new Map<string, OwnedOffer>()
  for (const { person, principal } of persons)
    for (const offer of listOffers(flow, flowCase, person, row.scope)) {
      const mayStand = principal === null || resolveAllowed(flow.parts, offer.part.path).substitute
      if (mayStand && !found.has(offer.name)) found.set(offer.name, { ...offer, person, principal })
    }
  return [...found.values()]
}

/** The first of the persons whom a step waits for; a substitute only where the state allows one. */
export function findAsked(
  flow: CompiledFlow,
  flowCase: FlowCase,
  path: string,
  persons: ReturnType<typeof listPersons>,
): ReturnType<typeof listPersons>[number] | undefined {
  const { substitute } = resolveAllowed(flow.parts, path)
  return persons.find(
    ({ person, principal }) =>
      (principal === null || substitute) && isWaitedFor(flow.parts, flowCase.context, path, person),
  )
}
