// Hands over the open to-dos of a person who leaves: each task that names them goes to another person, in a
// transaction of its own (docs/rules/contract.md#flows). Those of an office stay with the office.
import type { TodosHandedOver } from '@jiaowu/api/contract/administration/account'
import { messageText } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import { readPerson, readUser } from '../../identity/subject.ts'
import type { Context } from '../../model/context.ts'
import { entityName } from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { transact } from '../../platform/database/transact.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { NotTheirs, Previewed } from './case-call.ts'
import { findWhom, writeHand } from './hand.ts'
import { loadSubject } from './receivers.ts'
import { identifyPerson } from './row-people.ts'
import { loadRowTitle } from './row-title.ts'

interface HandOver {
  readonly to: string
  readonly note?: string | null | undefined
  readonly preview: boolean
}
interface Task {
  readonly tag: string
  readonly row_id: string
  readonly path: string
  readonly applicant_id: string | null
}
type HandedTask = TodosHandedOver['results'][number]

/** The caller has checked that the account may be changed. @throws Refusal 404 */
export async function handOver(
  context: Context,
  id: string,
  request: HandOver,
): Promise<Pick<TodosHandedOver, 'done' | 'results' | 'shared'>> {
  const user = await readUser(context, context.subject.tenant, id)
  if (user === undefined) throw notFound()
  const leaver = await loadSubject(context, user)
  const results: HandedTask[] = []
  for (const task of await findTasks(context, { id, person: readPerson(user) }))
    results.push(await giveOne(context, leaver, task, request))
  const done = results.filter(({ ok }) => ok).length
  if (done > 0 && !request.preview) wakeQueue(context, 'notice')
  return { done, results, shared: await countShared(context, leaver) }
}

async function findTasks(
  { database, subject: { tenant } }: Context,
  { id, person }: { readonly id: string; readonly person: ReturnType<typeof readPerson> },
): Promise<readonly Task[]> {
  const { rows } = await sql<Task>`
    select distinct c.tag, c.row_id::text as row_id, t.path, c.applicant_id::text as applicant_id
    from sys.flow_todo t
    join sys.flow_case c on c.tenant_id = t.tenant_id and c.id = t.case_id
    where t.tenant_id = ${tenant}::int8 and c.tenant_id = ${tenant}::int8 and not c.is_done
      and (t.user_id = ${id}::int8
        or (t.person_tag = ${person?.tag ?? null}::text and t.person_id::text = ${person?.id ?? null}::text))
    order by c.tag, row_id, t.path`.execute(database.untyped)
  return rows
}

/** Open steps that wait for a role of the person: others who hold it decide. */
async function countShared(
  { database, subject: { tenant } }: Context,
  { roles }: Context['subject'],
): Promise<number> {
  if (roles.length === 0) return 0
  const { rows } = await sql<{ n: number }>`
    select count(distinct (t.case_id, t.path))::int4 as n from sys.flow_todo t
    join sys.flow_case c on c.tenant_id = t.tenant_id and c.id = t.case_id
    where t.tenant_id = ${tenant}::int8 and c.tenant_id = ${tenant}::int8 and not c.is_done
      and t.role in (${sql.join([...roles])})`.execute(database.untyped)
  return rows[0]?.n ?? 0
}

async function giveOne(
  context: Context,
  leaver: Context['subject'],
  { tag, row_id: id, path, applicant_id }: Task,
  { to, note, preview }: HandOver,
): Promise<HandedTask> {
  const entity = await context.registry.find(context.subject.tenant, tag)
  const name = entity === undefined ? tag : entityName(entity, context.locale)
  const failed = (msg: string) => ({ tag, name, id, path, step: null, ok: false, msg })
  if (entity === undefined) return failed(messageText(context.locale, { key: 'flow.gone' }))
  if (identifyPerson(leaver, applicant_id) === applicant_id)
    return failed(messageText(context.locale, { key: 'account.handOverOwn' }))
  const given = (step: string) => ({ tag, name, id, path, step, ok: true, msg: null })
  try {
    const request = { id, path, to, note, preview, way: null } as const
    const whom = await findWhom(context, entity, request)
    const title = await loadRowTitle(context, entity, id)
    const step = await transact(databaseOf(context), async (trx) => {
      const handed = await writeHand(
        trx,
        { context, entity, request, whom, leaver, title },
        'flow.transfer',
      )
      if (preview) throw new Previewed(handed)
      return handed
    })
    return given(step)
  } catch (error) {
    if (error instanceof Previewed) return given(error.state)
    const refusal = error instanceof NotTheirs ? error.refusal : error
    if (!(refusal instanceof Refusal)) throw error
    const texts =
      refusal instanceof Invalid
        ? refusal.issues(context.locale).map(({ msg }) => msg)
        : [messageText(context.locale, refusal.text)]
    return failed(texts.join(' '))
  }
}
