// The user's last choices for an entity, applied to the next similar sheet
// (docs/rules/requests.md#r7).
import type { RememberedImport } from '@jiaowu/api/contract/job'
import type { Context } from '../../model/context.ts'
import type { ImportRecord } from '../jobs/job.ts'

type Asking = Pick<Context, 'database' | 'subject'>

export async function readMemory(
  { database, subject }: Asking,
  tag: string,
): Promise<RememberedImport | null> {
  const row = await database.kysely
    .selectFrom('sys.import_memory')
    .select('choices')
    .where('tenant_id', '=', subject.tenant)
    .where('user_id', '=', subject.userId)
    .where('tag', '=', tag)
    .executeTakeFirst()
  return row?.choices ?? null
}

/**
 * Stores the choices once the rows have been checked with them: only what the user chose, not what
 * was guessed.
 */
export async function remember(
  { database, subject, now }: Context,
  job: ImportRecord,
): Promise<void> {
  const { mode, key, onError, empty } = job.options
  const asked = (job.sheet?.columns ?? []).filter(
    ({ by, header }) => header !== '' && (by === 'asked' || by === 'remembered'),
  )
  const { fixed = null } = job.options
  const headers = new Map((job.sheet?.columns ?? []).map((each) => [each.column, each.header]))
  const choices: RememberedImport = {
    mode,
    key,
    onError,
    empty,
    columns: asked.map((column) => ({
      header: column.header,
      attrName: column.attrName,
      ...(column.empty === empty ? {} : { empty: column.empty }),
      ...(column.joined === undefined ? {} : { joined: headers.get(column.joined) ?? '' }),
    })),
    ...(fixed !== null && Object.keys(fixed).length > 0 && { fixed }),
  }
  const shape = readShape(job)
  const shapes = (await readMemory({ database, subject }, job.tag))?.shapes ?? []
  if (shape !== null || shapes.length > 0)
    choices.shapes = [
      ...(shape === null ? [] : [shape]),
      ...shapes.filter((each) => shape === null || !isSameShape(each, shape)),
    ].slice(0, mostShapes)
  await database.kysely
    .insertInto('sys.import_memory')
    .values({
      tenant_id: subject.tenant,
      user_id: subject.userId,
      tag: job.tag,
      choices: JSON.stringify(choices),
      update_time: now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id', 'tag'])
        .doUpdateSet({ choices: JSON.stringify(choices), update_time: now() }),
    )
    .execute()
}

const mostShapes = 10
type Shape = NonNullable<RememberedImport['shapes']>[number]

/** The shape of a file whose sheets or heading the user chose. */
function readShape({ options: { reading = null }, sheet }: ImportRecord): Shape | null {
  if (reading === null || sheet === null) return null
  if (reading.sheets === undefined && reading.heading === undefined) return null
  return {
    headers: sheet.columns.map(({ header }) => header),
    heading: sheet.headerRow,
    sheets: reading.sheets ?? [],
  }
}

function isSameShape(a: Shape, b: Shape): boolean {
  return (
    a.headers.join('\n') === b.headers.join('\n') && a.sheets.join('\n') === b.sheets.join('\n')
  )
}

export async function forget({ database, subject }: Asking, tag: string): Promise<void> {
  await database.kysely
    .deleteFrom('sys.import_memory')
    .where('tenant_id', '=', subject.tenant)
    .where('user_id', '=', subject.userId)
    .where('tag', '=', tag)
    .execute()
}
