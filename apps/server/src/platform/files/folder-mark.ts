// Several servers on one database share DATA_DIR (docs/files.md). A mark in the folder and in the database refuses
// another folder before it answers 404 to attachments, and fails imports whose sheets it does not have.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlatformServices } from '../context.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'
import { createAtomically } from './write-atomically.ts'

const fileName = 'store.id'

type Where = Pick<Settings, 'dataDir' | 'databaseUrl' | 'fileDriver' | 's3'>

/** Needs the start turn. The embedded database is in the folder itself. @throws SettingsError for another folder */
export async function claimFolder(
  { database, settings }: Pick<PlatformServices, 'database' | 'settings'>,
  installation: string,
): Promise<void> {
  if (!isShared(settings)) return
  const known = await database.kysely.selectFrom('sys.file_folder').select('id').executeTakeFirst()
  if (known === undefined) {
    const mark = `${installation}-${randomBytes(8).toString('hex')}\n`
    await createAtomically(settings.dataDir, fileName, Buffer.from(mark))
  }
  const held = readMark(settings)
  if (known === undefined && held?.startsWith(`${installation}-`) === true) {
    await database.kysely.insertInto('sys.file_folder').values({ id: held }).execute()
    return
  }
  if (known === undefined)
    throw new SettingsError(
      `DATA_DIR ${settings.dataDir} holds the files of another installation: name another folder.`,
    )
  if (held !== known.id)
    throw new SettingsError(
      `DATA_DIR ${settings.dataDir} is not the folder with the files of this database. Several servers share one ` +
        'folder, or use FILE_DRIVER=s3 (docs/files.md). Where it holds a complete copy of the files, write ' +
        `${known.id} into ${join(settings.dataDir, fileName)}.`,
    )
}

function isShared({ databaseUrl, fileDriver }: Where): boolean {
  return databaseUrl !== undefined && fileDriver === 'disk'
}

/** Names the place of this server's files; null where there is only one. */
export function nameStore(settings: Where): string | null {
  if (settings.s3 !== undefined && settings.fileDriver === 's3')
    return `s3:${settings.s3.bucket}/${settings.s3.prefix}`
  return isShared(settings) ? readMark(settings) : null
}

function readMark({ dataDir }: Where): string | null {
  try {
    return readFileSync(join(dataDir, fileName), 'utf8').trim()
  } catch {
    return null
  }
}
