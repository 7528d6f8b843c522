import { createHash } from 'node:crypto'
import type { FileRef, FileStore } from './driver.ts'
import { areas, placeOf } from './places.ts'
import { readAll } from './read-all.ts'

export interface Copied {
  readonly copied: number
  readonly there: number
}

/** Every file of one store into another, one after the other. What is there already and the same is left alone, so it may be stopped and begun again. */
export async function copyFiles(
  from: FileStore,
  to: FileStore,
  tell: (so: Copied) => void = () => {},
): Promise<Copied> {
  let [copied, there] = [0, 0]
  for (const area of areas) {
    for await (const { tenant, name } of from.list(area)) {
      const file = { area, tenant, name }
      const known = await to.sha256(file)
      if (known !== null && known === (await from.sha256(file))) there += 1
      else if (await copyOne(from, to, file)) copied += 1
      tell({ copied, there })
    }
  }
  return { copied, there }
}

/** Read back, because a service's word for it is not the file. False: it is gone at its old place, so there is nothing to move. */
async function copyOne(from: FileStore, to: FileStore, file: FileRef): Promise<boolean> {
  const bytes = await readAll(from, file)
  if (bytes === null) return false
  await to.write(file, bytes)
  if (digest(await readAll(to, file)) !== digest(bytes))
    throw new Error(`${placeOf(file)} did not arrive as it was sent.`)
  return true
}

function digest(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex')
}
