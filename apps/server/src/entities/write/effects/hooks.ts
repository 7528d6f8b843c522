// Notes the calls to programs in the transaction of the write: what rolls back leaves none, what is committed is called
// by the queue (docs/rules/contract.md#hooks).
import type { HookEvent } from '@jiaowu/api/contract/hook'
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import type { MemoryKind } from '../../../platform/memory.ts'
import { type Batch, readRowKey, type RowWrite, type RowWriter, type WriteKind } from '../writer.ts'

interface KnownHook {
  readonly id: string
  readonly tag: string
  readonly events: readonly string[]
}

/** The hooks of a school. Another server learns of a new one within the age. */
const hooks: MemoryKind<readonly KnownHook[]> = { name: 'hooks', limit: 1_000, age: 3_000 }

const eventsByKind: Readonly<Record<WriteKind, HookEvent | null>> = {
  create: 'create',
  update: 'update',
  move: 'update',
  delete: 'delete',
  restore: 'restore',
  purge: null,
}

export async function noteHooks({ trx, writer, rows }: Batch): Promise<void> {
  const { context, entity } = writer
  const mine = (await readHooks(trx, context)).filter(({ tag }) => tag === entity.tag)
  const notes = mine.flatMap((hook) =>
    rows.flatMap((row) => {
      const event = writer.flow === 'own' ? 'flow' : eventsByKind[row.kind]
      if (event === null || !hook.events.includes(event)) return []
      return [
        { hook: hook.id, row: readRowKey(row), event, content: describeWrite(writer, row, event) },
      ]
    }),
  )
  if (notes.length === 0) return
  const { tenant } = context.subject
  const now = context.now().toISOString()
  const column = (read: (note: (typeof notes)[number]) => string) => notes.map(read)
  await sql`
    insert into sys.hook_delivery (tenant_id, id, hook_id, row_key, event, content, create_time, next_at)
    select ${tenant}::int8, n.id::int8, n.hook::int8, n.row, n.event, n.content, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${column(() => context.newId())}::text[], ${column(({ hook }) => hook)}::text[],
      ${column(({ row }) => row)}::text[], ${column(({ event }) => event)}::text[],
      ${column(({ content }) => content)}::text[]) as n(id, hook, row, event, content)`.execute(trx)
}

/** Names of fields without their values: a program reads the row with its own rights. */
function describeWrite({ context, entity }: RowWriter, row: RowWrite, event: HookEvent): string {
  const { flow } = entity.definition.options
  const state = row.changes.find(({ field }) => field.definition.attrName === flow?.field)?.value
  return JSON.stringify({
    event,
    tag: entity.tag,
    id: readRowKey(row),
    fields: row.changes.map(({ field }) => field.definition.attrName),
    ...(event === 'flow' && state !== undefined && { state }),
    at: context.now().toISOString(),
  })
}

async function readHooks(
  trx: AnyDatabase,
  { memory, subject: { tenant } }: Context,
): Promise<readonly KnownHook[]> {
  const known = memory.of(hooks)
  const found = known.get(tenant)
  if (found !== undefined) return found
  const { rows } = await sql<KnownHook>`
    select id, tag, events from sys.hook where tenant_id = ${tenant}::int8`.execute(trx)
  known.set(tenant, rows)
  return rows
}

/** After a hook was made or removed. */
export function forgetHooks({ memory, subject: { tenant } }: Context): void {
  memory.of(hooks).delete(tenant)
}
