import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../settings.ts'

const folder = ({ dataDir }: Settings, tenant: string) => join(dataDir, 'files', tenant)

/** Writes bytes under a random name: temp, fsync, rename; only then may a row name them (security F3, F7). */
export const storeFile = async (settings: Settings, tenant: string, bytes: Uint8Array): Promise<string> => {
  const name = randomBytes(16).toString('hex')
  const [path, part] = [join(folder(settings, tenant), name), join(folder(settings, tenant), `${name}.part`)]
  await mkdir(folder(settings, tenant), { recursive: true, mode: 0o700 })
  const file = await open(part, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
  return name
}

export const readFileStream = (settings: Settings, tenant: string, storageName: string) => createReadStream(join(folder(settings, tenant), storageName))
