// The to-dos of cases: each names the people that an event waits for, by role, organisation, account or record.
import { type CompiledFlow, type FlowCase, listWaits } from '@jiaowu/machines/flow/flow'
import { isDecision } from '@jiaowu/machines/flow/parts'
import { buildTermKey } from '@jiaowu/machines/flow/people'
import type { Context } from '../../model/context.ts'
import type { FlowDatabase, StoredCase } from './cases.ts'
import type { FlowAddressee, FlowRow } from './row-people.ts'

interface Todo extends FlowAddressee {
  readonly event: string
  readonly path: string
}

/** Replaces the to-dos of cases. One that stays keeps its time. */
export async function writeTodos(
  trx: FlowDatabase,
  { subject: { tenant }, now }: Context,
  cases: readonly { readonly stored: StoredCase; readonly row: FlowRow }[],
): Promise<void> {
  if (cases.length === 0) return
  const ids = cases.map(({ stored }) => stored.id)
  const before = await trx
    .selectFrom('sys.flow_todo')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('case_id', 'in', ids)
    .execute()
  const since = new Map(before.map((row) => [buildTodoKey(row.case_id, row), row.since]))
  await trx
    .deleteFrom('sys.flow_todo')
    .where('tenant_id', '=', tenant)
    .where('case_id', 'in', ids)
    .execute()
  const values = cases.flatMap(({ stored, row }) =>
    listTodos(stored.flow, stored.flowCase, row).map((todo, no) => ({
      tenant_id: tenant,
      case_id: stored.id,
      no,
      event: todo.event,
      path: todo.path,
      role: todo.role,
      org_id: todo.orgId,
      user_id: todo.userId,
      person_tag: todo.personTag,
      person_id: todo.personId,
      since:
        since.get(
          buildTodoKey(stored.id, {
            event: todo.event,
            role: todo.role,
            org_id: todo.orgId,
            user_id: todo.userId,
            person_id: todo.personId,
          }),
        ) ?? now(),
    })),
  )
  for (let from = 0; from < values.length; from += chunk)
    await trx
      .insertInto('sys.flow_todo')
      .values(values.slice(from, from + chunk))
      .execute()
}
const chunk = 500

function buildTodoKey(
  caseId: string,
  todo: {
    readonly event: string
    readonly role: string | null
    readonly org_id: string | null
    readonly user_id: string | null
    readonly person_id: string | null
  },
): string {
  return JSON.stringify([caseId, todo.event, todo.role, todo.org_id, todo.user_id, todo.person_id])
}

/** The applicant has a task only where the case waits for no other person: withdrawing is none. */
function listTodos(flow: CompiledFlow, flowCase: FlowCase, row: FlowRow): readonly Todo[] {
  const { applicant } = flowCase.context
  const waits = listWaits(flow, flowCase).filter(({ part }) => isDecision(part))
  const others = waits.flatMap(({ part, terms, added, handed }) => {
    const own = terms.flatMap((term) => row.people.get(buildTermKey(term)) ?? [])
    const given = new Set(handed.map(({ from }) => from))
    return [
      ...own.filter(({ userId }) => userId === null || !given.has(userId)),
      ...handed.map(({ to }) => ({ ...unaddressed, userId: to })),
      ...added.map(({ person, role }) => ({ ...unaddressed, userId: person, role })),
    ].map((each): Todo => ({ ...each, event: part.type, path: part.path }))
  })
  // An event of the whole flow, such as voiding it, is no task either.
  const asked = others.filter(({ path }) => path !== '')
  const isOthers = waits.some(
    ({ part, terms, added }) =>
      part.path !== '' && (added.length > 0 || terms.some((term) => !('applicant' in term))),
  )
  if (isOthers || applicant === null) return distinct(asked)
  const own = waits.filter(({ terms }) => terms.some((term) => 'applicant' in term))
  return distinct([
    ...asked,
    ...own.map(({ part }): Todo => ({
      event: part.type,
      path: part.path,
      ...unaddressed,
      userId: applicant,
    })),
  ])
}

const unaddressed = { role: null, orgId: null, userId: null, personTag: null, personId: null }

function distinct(todos: readonly Todo[]): readonly Todo[] {
  return [...new Map(todos.map((todo) => [JSON.stringify(todo), todo])).values()]
}
