import type { Services } from '../../model/context.ts'
import { existing } from './file-rights.ts'
import type { ListedFile } from '../../platform/files/driver.ts'
import { fileStore } from '../../platform/files/store.ts'
import { inEachSchool } from '../../platform/database/schools.ts'
import { isId } from '../../platform/id.ts'

const day = 86_400_000
const binRetention = 30 * day // docs/rules/security.md#f12
const draftRetention = day // docs/rules/security.md#f5
const batchSize = 500

/** Numbers of files removed. */
export interface Swept {
  readonly wiped: number
  readonly drafts: number
  readonly loose: number
  readonly unfinished: number
}

const ago = ({ now }: Services, ms: number): string => new Date(now().getTime() - ms).toISOString()

export async function sweepFiles(services: Services): Promise<Swept> {
  let [wiped, drafts] = [0, 0]
  await inEachSchool(services, 'the sweep of files', async (tenant) => {
    wiped += await wipeDeleted(services, tenant)
    drafts += await dropDrafts(services, tenant)
  })
  return {
    wiped,
    drafts,
    loose: await wipeLoose(services),
    unfinished: await fileStore(services.settings).sweep(services.now()),
  }
}

/**
 * Removes attachments deleted 30 days ago: first the file, then the row, so that the next run
 * resumes after a crash between the two.
 */
async function wipeDeleted(services: Services, tenant: string): Promise<number> {
  const {
    database: { kysely },
    settings,
  } = services
  const old = await kysely
    .selectFrom('sys.attachment')
    .select(['id', 'storage_name'])
    .where('tenant_id', '=', tenant)
    .where('deleted_at', '<', ago(services, binRetention))
    .limit(batchSize)
    .execute()
  const store = fileStore(settings)
  for (const { storage_name } of old)
    await store.remove({ area: 'attachments', tenant, name: storage_name })
  if (old.length > 0)
    await kysely
      .deleteFrom('sys.attachment')
      .where('tenant_id', '=', tenant)
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .execute()
  return old.length
}

/** Marks attachments as deleted whose row was never saved or has been purged. */
async function dropDrafts(services: Services, tenant: string): Promise<number> {
  const {
    database: { kysely },
    registry,
    now,
  } = services
  let [dropped, after] = [0, '0']
  for (;;) {
    const files = await kysely
      .selectFrom('sys.attachment')
      .select(['id', 'biz_type', 'biz_id'])
      .where('tenant_id', '=', tenant)
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .where('create_time', '<', ago(services, draftRetention))
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const [tag, group] of Map.groupBy(files, ({ biz_type }) => biz_type)) {
      const entity = await registry.find(tenant, tag)
      const rows =
        entity === undefined
          ? undefined
          : await existing(services, tenant, entity, [
              ...new Set(group.map(({ biz_id }) => biz_id)),
            ])
      const orphans =
        rows === undefined
          ? []
          : group.filter(({ biz_id }) => !rows.has(biz_id)).map(({ id }) => id)
      if (orphans.length > 0)
        await kysely
          .updateTable('sys.attachment')
          .set({ deleted_at: now() })
          .where('tenant_id', '=', tenant)
          .where('id', 'in', orphans)
          .execute()
      dropped += orphans.length
    }
    if (files.length < batchSize) return dropped
    after = files.at(-1)?.id ?? after
  }
}

/**
 * Removes files without a row, left by a crash between writing the file and inserting the row
 * (docs/rules/security.md#f7).
 */
async function wipeLoose({ database: { kysely }, settings, now }: Services): Promise<number> {
  const store = fileStore(settings)
  let wiped = 0
  const wipeUnknown = async (tenant: string, files: readonly ListedFile[]): Promise<void> => {
    const known = new Set(
      (
        await kysely
          .selectFrom('sys.attachment')
          .select('storage_name')
          .where('tenant_id', '=', tenant)
          .where(
            'storage_name',
            'in',
            files.map(({ name }) => name),
          )
          .execute()
      ).map(({ storage_name }) => storage_name),
    )
    for (const file of files.filter(({ name }) => !known.has(name))) {
      await store.remove(file)
      wiped += 1
    }
  }
  let old: ListedFile[] = []
  const wipeOld = async (): Promise<void> => {
    for (const [tenant, files] of Map.groupBy(old, (file) => file.tenant))
      if (isId(tenant)) await wipeUnknown(tenant, files)
    old = []
  }
  for await (const file of store.list('attachments')) {
    if (now().getTime() - file.modified.getTime() < draftRetention) continue
    old.push(file)
    if (old.length >= batchSize) await wipeOld()
  }
  await wipeOld()
  return wiped
}
