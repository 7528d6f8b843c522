// Files in a bucket: any number of servers, none of which keeps anything but what it has in hand.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type FileArea,
  FileMissing,
  type FileRef,
  type FileStore,
  FilesUnavailable,
  type LentFile,
  type ListedFile,
} from '../driver.ts'
import { areaFolder, placeOf, refAt } from '../places.ts'
import { claimBucket, probeBucket } from './bucket.ts'
import { type Patience, patience, type S3Account, s3Client, S3Fault, textOf } from './client.ts'
import { listingOf } from './xml.ts'

const digestHeader = 'x-amz-meta-sha256'
const lentKept = 86_400_000 // longer than any import reads
const healthKept = 10_000
const pageSize = 1_000

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function s3Store(
  account: S3Account,
  dataDir: string,
  waits: Patience = patience,
): FileStore {
  const send = s3Client(account, waits)
  const lent = join(dataDir, 'lent')
  const keyOf = (file: FileRef) => account.prefix + placeOf(file)

  const read = async (file: FileRef): Promise<ReadableStream<Uint8Array>> => {
    const { body } = await send({ method: 'GET', key: keyOf(file) }).catch((error: unknown) => {
      throw missing(error)
        ? new FileMissing('no such file', { cause: error })
        : asUnavailable(error)
    })
    return body
  }
  const list = async function* (area: FileArea): AsyncGenerator<ListedFile> {
    let next: string | null = null
    do {
      const query: Record<string, string> = {
        'list-type': '2',
        'max-keys': String(pageSize),
        prefix: `${account.prefix}${areaFolder[area]}/`,
        ...(next === null ? {} : { 'continuation-token': next }),
      }
      const page = listingOf(
        await send({ method: 'GET', key: '', query })
          .then(textOf)
          .catch((error: unknown) => {
            throw asUnavailable(error)
          }),
      )
      for (const { key, modified } of page.objects) {
        const file = refAt(area, key.slice(account.prefix.length))
        if (file !== undefined) yield { ...file, modified }
      }
      next = page.next
    } while (next !== null)
  }
  /** What was said when it was written; a service that forgot it is made to send the file. */
  const digest = async (file: FileRef): Promise<string | null> => {
    const head = await send({ method: 'HEAD', key: keyOf(file) }).catch((error: unknown) => {
      if (error instanceof S3Fault && error.status === 404) return null
      throw asUnavailable(error)
    })
    if (head === null) return null
    const told = head.headers.get(digestHeader)
    if (told !== null) return told
    const hash = createHash('sha256')
    await pipeline(Readable.fromWeb((await read(file)) as never), hash)
    return hash.digest('hex')
  }
  return {
    write: async (file, bytes) => {
      const headers = { 'content-type': 'application/octet-stream', [digestHeader]: sha256(bytes) }
      await send({ method: 'PUT', key: keyOf(file), body: bytes, headers })
        .then(textOf)
        .catch((error: unknown) => {
          throw asUnavailable(error)
        })
    },
    read,
    lend: async (file) => lendCopy(lent, await read(file)),
    sha256: digest,
    remove: async (file) => {
      await send({ method: 'DELETE', key: keyOf(file) })
        .then(textOf)
        .catch((error: unknown) => {
          if (!missing(error)) throw asUnavailable(error)
        })
    },
    list,
    sweep: (now) => sweepLent(lent, now),
    healthy: seldom(() =>
      send({
        method: 'GET',
        key: '',
        query: { 'list-type': '2', 'max-keys': '1', prefix: account.prefix },
        tries: 1,
        within: 2_000,
      })
        .then(textOf)
        .then(
          () => true,
          () => false,
        ),
    ),
    probe: () => probeBucket(account, send),
    claim: (installation) => claimBucket(account, send, installation),
  }
}

function missing(error: unknown): boolean {
  return error instanceof S3Fault && error.status === 404 && error.code === 'NoSuchKey'
}

/** A no that is about the bucket or the key, not about the file: for people it is a store that does not work just now. */
function asUnavailable(error: unknown): unknown {
  return error instanceof S3Fault ? new FilesUnavailable(error.message, { cause: error }) : error
}

/** The file as a copy on the disk of this server, which is the only place a driver of S3 writes to. */
async function lendCopy(folder: string, bytes: ReadableStream<Uint8Array>): Promise<LentFile> {
  const path = join(folder, randomUUID())
  const release = () => rm(path, { force: true })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await pipeline(
      Readable.fromWeb(bytes as never),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    )
  } catch (error) {
    await bytes.cancel().catch(() => {})
    await release()
    throw error
  }
  return { path, release }
}

/** Copies that nobody released. */
async function sweepLent(folder: string, now: Date): Promise<number> {
  let swept = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found === null || now.getTime() - found.mtimeMs < lentKept) continue
    await rm(join(folder, name), { force: true })
    swept += 1
  }
  return swept
}

/** Asks at most once in ten seconds, however many want to know. */
function seldom(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined
  return () => {
    if (asked === undefined || performance.now() - asked.at >= healthKept)
      asked = { at: performance.now(), answer: ask() }
    return asked.answer
  }
}
