// The user's last choices for an entity, applied to the next similar sheet
// (docs/rules/requests.md#r7).
import type { RememberedImport } from '@jiaowu/api'
import type { Context } from '../../context.ts'
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
  const choices: RememberedImport = {
    mode,
    key,
    onError,
    empty,
    columns: asked.map((column) => ({
      header: column.header,
      attrName: column.attrName,
      ...(column.empty === empty ? {} : { empty: column.empty }),
    })),
  }
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

export async function forget({ database, subject }: Asking, tag: string): Promise<void> {
  await database.kysely
    .deleteFrom('sys.import_memory')
    .where('tenant_id', '=', subject.tenant)
    .where('user_id', '=', subject.userId)
    .where('tag', '=', tag)
    .execute()
}
