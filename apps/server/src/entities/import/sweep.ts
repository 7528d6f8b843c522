import { sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { fileStore } from '../../platform/files/store.ts'
import { isId } from '../../platform/id.ts'
import { buildUploadRef } from './upload/upload-store.ts'

const day = 86_400_000
/**
 * How long after a job's end its file and rows are kept, and how long the job stays in the history.
 * Milliseconds.
 */
const kept = { file: 7 * day, job: 180 * day }
const atOnce = 100

/**
 * Deletes old uploads of a school: the file first, then the mark in the row, so that a sweep that crashes in
 * between is repeated. Returns how many.
 */
export async function sweepJobs(services: Services, tenant: string): Promise<number> {
  const {
    database: { kysely },
    settings,
    now,
  } = services
  const before = (ms: number) => new Date(now().getTime() - ms).toISOString()
  // Bulk changes are kept for a week, those never applied for a day.
  await kysely
    .deleteFrom('sys.job')
    .where('tenant_id', '=', tenant)
    .where('kind', '=', 'bulk')
    .where((e) =>
      e.or([
        e('create_time', '<', before(kept.file)),
        e.and([e('status', '=', 'paused'), e('create_time', '<', before(day))]),
      ]),
    )
    .execute()
  const old = await kysely
    .selectFrom('sys.job')
    .select(['id', 'file'])
    .where('tenant_id', '=', tenant)
    .where('file_gone', '=', false)
    .where((e) =>
      e.or([
        e('end_time', '<', before(kept.file)),
        e.and([e('status', '=', 'paused'), e('create_time', '<', before(kept.file))]),
      ]),
    )
    .orderBy('id')
    .limit(atOnce)
    .execute()
  for (const { id, file } of old) {
    if (file !== null) await fileStore(settings).remove(buildUploadRef(tenant, file.storage))
    await kysely
      .updateTable('sys.job')
      .set({ file_gone: true })
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .execute()
  }
  await kysely
    .deleteFrom('sys.job')
    .where('tenant_id', '=', tenant)
    .where('file_gone', '=', true)
    .where('create_time', '<', before(kept.job))
    .execute()
  return old.length
}

/** Deletes files that no job refers to, because the server crashed before the job was stored. */
export async function wipeLooseUploads(services: Services): Promise<void> {
  const store = fileStore(services.settings)
  for await (const file of store.list('uploads')) {
    const { tenant, name, modified } = file
    if (services.now().getTime() - modified.getTime() < day) continue
    if (!isId(tenant)) continue
    const { rows } = await sql`
      select 1 from sys.job
      where tenant_id = ${tenant}::int8 and file->>'storage' = ${name} limit 1`.execute(
      databaseOf(services),
    )
    if (rows.length === 0) await store.remove(file)
  }
}
