import { sql } from 'kysely'
import { databaseOf } from '../../platform/database/any-database.ts'
import type { FileArea } from '../../platform/files/driver.ts'
import { fileStore } from '../../platform/files/store.ts'
import type { Open } from './finding.ts'

interface Lost {
  readonly lost: number
  readonly example: string
}

const named = {
  attachments: sql`select tenant_id::text as tenant, storage_name as name, 'doctor' as by from sys.attachment
    where deleted_at is null`,
  uploads: sql`select tenant_id::text as tenant, file ->> 'storage' as name, 'doctor' as by from sys.job
    where not file_gone and file is not null and status in ('queued', 'running', 'paused')`,
} satisfies Partial<Record<FileArea, ReturnType<typeof sql>>>

/** Files that rows name and the store does not have. Issued documents are drawn anew when their file is missing. */
export async function findMissingFiles(patient: Open): Promise<ReadonlyMap<FileArea, Lost>> {
  const store = fileStore(patient.settings)
  const found = new Map<FileArea, Lost>()
  for (const area of ['attachments', 'uploads'] as const) {
    const stored = new Set<string>()
    for await (const { tenant, name } of store.list(area)) stored.add(`${tenant}/${name}`)
    const { rows } = await sql<{ tenant: string; name: string }>`${named[area]}`.execute(
      databaseOf(patient),
    )
    const lost = rows
      .map(({ tenant, name }) => `${tenant}/${name}`)
      .filter((path) => !stored.has(path))
    found.set(area, { lost: lost.length, example: lost[0] ?? '' })
  }
  return found
}
