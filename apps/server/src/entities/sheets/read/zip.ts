// Opens an uploaded xlsx, an untrusted zip: checks its directory before inflating anything, and
// counts every byte while inflating (docs/rules/security.md#files).
import { Transform, type Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { FileProblem, type ReadLimits } from './model.ts'

const megabyte = 1024 * 1024
const symlink = 0o120000
/** Pictures in cells, such as photos in a register. They are never read. */
const pictures = 'xl/media/'
const mostPictures = 10_000
const nested = /\.(zip|xlsx|xlsm|xlsb|docx|7z|rar|gz|jar)$/i

/** The entries of a checked zip, readable in any order. */
export interface Archive {
  readonly has: (name: string) => boolean
  readonly names: () => readonly string[]
  readonly open: (name: string) => Promise<Readable>
  readonly close: () => void
}

/**
 * @throws FileProblem for a file that is not a zip, or not one a spreadsheet program would write
 */
export async function openArchive(path: string, limits: ReadLimits): Promise<Archive> {
  const zip = await openPromise(path, {
    autoClose: false,
    // Some writers on Windows separate folders by backslashes; yauzl turns them.
    strictFileNames: false,
    validateEntrySizes: true,
  }).catch(() => {
    throw new FileProblem({ key: 'transfer.file.notXlsx' })
  })
  const entries = await readDirectory(zip, limits).catch((error: unknown) => {
    zip.close()
    throw error instanceof FileProblem ? error : new FileProblem({ key: 'transfer.file.hostile' })
  })
  let unpacked = 0
  /** A part that is read twice counts once. */
  const most = new Map<string, number>()
  const counted = (entry: Entry): Transform => {
    let own = 0
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        own += chunk.length
        const before = most.get(entry.fileName) ?? 0
        if (own > before) {
          unpacked += own - before
          most.set(entry.fileName, own)
        }
        if (unpacked > limits.unpacked) done(new FileProblem({ key: 'transfer.file.tooLarge' }))
        else if (exceedsRatio(own, entry.compressedSize, limits))
          done(new FileProblem({ key: 'transfer.file.hostile' }))
        else done(null, chunk)
      },
    })
  }
  return {
    has: (name) => entries.has(name),
    names: () => [...entries.keys()],
    open: async (name) => {
      const entry = entries.get(name)
      if (entry === undefined) throw new FileProblem({ key: 'transfer.file.notXlsx' })
      const source = await zip.openReadStreamPromise(entry)
      const counter = counted(entry)
      source.on('error', () => counter.destroy(new FileProblem({ key: 'transfer.file.broken' })))
      return source.pipe(counter)
    },
    close: () => zip.close(),
  }
}

async function readDirectory(
  zip: ZipFile,
  limits: ReadLimits,
): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  if (zip.entryCount > mostPictures) throw new FileProblem({ key: 'transfer.file.hostile' })
  let declared = 0
  let parts = 0
  for await (const entry of zip.eachEntry()) {
    declared += entry.uncompressedSize
    if (!entry.fileName.startsWith(pictures)) parts += 1
    // yauzl itself refuses names that are absolute or contain `..`. Duplicate names would let two
    // readers see different contents.
    if (
      parts > limits.entries ||
      isUnsafe(entry) ||
      entries.has(entry.fileName) ||
      exceedsRatio(entry.uncompressedSize, entry.compressedSize, limits)
    )
      throw new FileProblem({ key: 'transfer.file.hostile' })
    if (declared > limits.unpacked) throw new FileProblem({ key: 'transfer.file.tooLarge' })
    entries.set(entry.fileName, entry)
  }
  return entries
}

function isUnsafe(entry: Entry): boolean {
  return (
    entry.isEncrypted() ||
    ((entry.externalFileAttributes >>> 16) & 0o170000) === symlink ||
    nested.test(entry.fileName) ||
    !entry.canDecodeFileData()
  )
}

function exceedsRatio(unpacked: number, packed: number, { ratio }: ReadLimits): boolean {
  return unpacked > megabyte && unpacked - megabyte > ratio * Math.max(packed, 1)
}
