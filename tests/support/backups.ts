import { createHash } from 'node:crypto'
import { readArchive } from '../../apps/server/src/platform/backup/archive.ts'
import {
  type BackupHeader,
  dumpAll,
  partNames,
} from '../../apps/server/src/platform/backup/dump.ts'
import type { Part } from '../../apps/server/src/platform/backup/tar.ts'
import { openDatabase } from '../../apps/server/src/platform/database/open-database.ts'
import { diskStore } from '../../apps/server/src/platform/files/disk-store.ts'
import { quietLog } from '../../apps/server/testing/quiet-log.ts'

/** The digest of each file and of each table's rows, and the statements of the definition, both without an order. */
export interface Contents {
  readonly digests: Readonly<Record<string, string>>
  readonly definition: readonly string[]
}

export function readContents(file: string, key?: Buffer): Promise<Contents> {
  return digestParts(readArchive(file, key))
}

/** The same of a place: a data directory whose server is stopped, or a PostgreSQL beside it. */
export async function contentsOfPlace(dataDir: string, databaseUrl?: string): Promise<Contents> {
  const database = await openDatabase(
    { dataDir, ...(databaseUrl !== undefined && { databaseUrl }) },
    quietLog,
  )
  try {
    const source = { database, files: diskStore(dataDir), dataDir, now: new Date() }
    const counts = { tables: 0, rows: 0, files: 0, keys: [] }
    return await digestParts(dumpAll({ ...source, schemas: ['sys', 'biz', 'public'] }, counts))
  } finally {
    await database.close()
  }
}

async function digestParts(parts: AsyncIterable<Part>): Promise<Contents> {
  const contents = new Map<string, string[]>()
  const definition: string[] = []
  let tables: readonly string[] = []
  for await (const { name, bytes } of parts) {
    if (name === partNames.header) {
      const { shape } = JSON.parse(bytes.toString('utf8')) as BackupHeader
      definition.push(...shape.extensions, ...shape.before, ...shape.after)
      tables = shape.tables.map(({ table }) => table)
    } else if (name !== partNames.counts) {
      const isTable = name.startsWith(partNames.rows)
      const key = isTable ? `table ${tables[Number(name.split('/')[1])] ?? ''}` : name
      const lines = isTable ? bytes.toString('utf8').trimEnd().split('\n') : [bytes.toString('hex')]
      contents.set(key, [...(contents.get(key) ?? []), ...lines])
    }
  }
  const hashLines = (lines: readonly string[]) =>
    createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
  return {
    digests: Object.fromEntries([...contents].map(([name, lines]) => [name, hashLines(lines)])),
    definition: definition.map(normalise).toSorted(),
  }
}

/** PostgreSQL places casts and brackets of a list in another way after it has read what it had printed. */
function normalise(statement: string): string {
  return statement.replace(/::(text|character varying)(\[\])?|[()]/g, '')
}
