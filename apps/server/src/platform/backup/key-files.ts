// Files of DATA_DIR, besides those of the store, without which a restored database cannot be read or trusted.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../files/write-atomically.ts'

const names =
  /^(store\.id|pii\.key|pii\.[\w-]+\.retired\.key|audit\.key|audit\.used|signing\/[\w-]+\.(pem|p12|key|crt))$/

/** Keys of personal data and of the audit log, those that sign documents, and the mark of the folder. */
export async function listKeyFiles(dataDir: string): Promise<string[]> {
  const top = await readdir(dataDir).catch(() => [])
  const signing = await readdir(join(dataDir, 'signing')).catch(() => [])
  return [...top, ...signing.map((name) => `signing/${name}`)].filter((name) => names.test(name))
}

export const keyFiles = {
  read: (dataDir: string, name: string) => readFile(join(dataDir, name)),
  /** @throws Error for a name that is none of these files */
  write: async (dataDir: string, name: string, bytes: Buffer) => {
    if (!names.test(name)) throw new Error(`${name} is no key`)
    const path = join(dataDir, name)
    await writeAtomically(dirname(path), name.replace(/^signing\//, ''), bytes)
  },
}
