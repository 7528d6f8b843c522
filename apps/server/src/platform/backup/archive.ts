// The file of a backup: a gzipped tar whose last part lists the digests of all others, encrypted with a key.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { parseJson } from '@jiaowu/api/exact-json'
import { seal, SealBroken, sealedMark, unseal } from './sealed.ts'
import { packTar, type Part, unpackTar } from './tar.ts'

/** A backup that cannot be used. The message is a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

const manifestName = 'manifest.json'
const gzipLevel = 4

interface Manifest {
  readonly parts: readonly { readonly name: string; readonly sha256: string }[]
}

/** Writes a new file of mode 0600, durable when it has its name. @throws BackupError when it exists */
export async function writeArchive(
  path: string,
  parts: AsyncIterable<Part>,
  key: Buffer | undefined,
): Promise<{ readonly bytes: number }> {
  if ((await stat(path).catch(() => null)) !== null)
    throw new BackupError(`${path} is there already; a backup replaces no file.`)
  const unfinished = `${path}.${randomUUID()}.part`
  try {
    const source = Readable.from(packTar(withManifest(parts)))
    const gzip = createGzip({ level: gzipLevel })
    const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
    if (key === undefined) await pipeline(source, gzip, file)
    else await pipeline(source, gzip, (bytes: AsyncIterable<Buffer>) => seal(bytes, key), file)
    await link(unfinished, path)
  } catch (error) {
    if (isSystemError(error)) throw new BackupError(`${path} cannot be written: ${error.message}.`)
    throw error
  } finally {
    await rm(unfinished, { force: true })
  }
  return { bytes: (await stat(path)).size }
}

async function* withManifest(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const listed: { name: string; sha256: string }[] = []
  for await (const part of parts) {
    listed.push({ name: part.name, sha256: hashPart(part.bytes) })
    yield part
  }
  const manifest: Manifest = { parts: listed }
  yield { name: manifestName, bytes: Buffer.from(JSON.stringify(manifest, null, 1)) }
}

/** Every part in the order in which it was written, each against its digest at the end. @throws BackupError */
export async function* readArchive(path: string, key: Buffer | undefined): AsyncGenerator<Part> {
  const read = new Map<string, string>()
  let manifest: Manifest | undefined
  try {
    for await (const part of unpackTar(await openArchive(path, key))) {
      if (part.name === manifestName) {
        manifest = parseJson(part.bytes.toString('utf8')) as unknown as Manifest
        continue
      }
      read.set(part.name, hashPart(part.bytes))
      yield part
    }
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(
      error instanceof SealBroken
        ? `${path} is damaged, or BACKUP_KEY is not its key.`
        : `${path} is damaged, or no backup: ${error instanceof Error ? error.message : ''}.`,
    )
  }
  const listed = new Map(manifest?.parts.map(({ name, sha256 }) => [name, sha256]))
  const wrong = [...new Set([...listed.keys(), ...read.keys()])].filter(
    (name) => listed.get(name) !== read.get(name),
  )
  if (manifest === undefined || wrong.length > 0)
    throw new BackupError(
      `${path} is damaged: ${wrong.slice(0, 3).join(', ') || 'its list of parts is missing'}.`,
    )
}

async function openArchive(path: string, key: Buffer | undefined): Promise<AsyncIterable<Buffer>> {
  const file = await open(path).catch((error: unknown) => {
    throw new BackupError(`${path} cannot be read: ${error instanceof Error ? error.message : ''}.`)
  })
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sealedMark.length), 0)
  await file.close()
  const isSealed = bytesRead === sealedMark.length && buffer.equals(sealedMark)
  if (isSealed && key === undefined)
    throw new BackupError(`${path} is encrypted: set BACKUP_KEY to its key.`)
  const stored = createReadStream(path, { start: isSealed ? sealedMark.length : 0 })
  const zipped = isSealed && key !== undefined ? Readable.from(unseal(stored, key)) : stored
  const unzipped = createGunzip()
  zipped.once('error', (error: Error) => unzipped.destroy(error))
  return zipped.pipe(unzipped)
}

function hashPart(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
