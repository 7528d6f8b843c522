// Opens an uploaded xlsx, an untrusted zip: checks its directory before inflating anything, and
// counts every byte while inflating (docs/rules/security.md#files).
import { Transform, type Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { FileProblem, type ReadLimits } from './model.ts'

const megabyte = 1024 * 1024
const symlink = 0o120000
/**
 * Folders of parts that are never opened: pictures, documents inside cells, controls, charts. Their
 * number, size and kind do not matter.
 */
const unread =
  /^(?:docProps|customXml|xl\/(?:media|embeddings|drawings|diagrams|charts|ctrlProps|activeX|printerSettings|comments|threadedComments|persons|externalLinks|pivotCache|pivotTables|queryTables|tables|slicers|slicerCaches|timelines))\//i
const mostEntries = 10_000
const worksheet = /^xl\/worksheets\//i
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
  const entryOf = lookup(entries)
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
    has: (name) => entryOf(name) !== undefined,
    names: () => [...entries.keys()],
    open: async (name) => {
      const entry = entryOf(name)
      if (entry === undefined) throw new FileProblem({ key: 'transfer.file.notXlsx' })
      const source = await zip.openReadStreamPromise(entry)
      const counter = counted(entry)
      source.on('error', () => counter.destroy(new FileProblem({ key: 'transfer.file.broken' })))
      return source.pipe(counter)
    },
    close: () => zip.close(),
  }
}

/** Names of parts are equal without regard to case (ECMA-376-2 §6.2.2.3); an exact one goes first. */
function lookup(entries: ReadonlyMap<string, Entry>) {
  const anyCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]))
  return (name: string): Entry | undefined => entries.get(name) ?? anyCase.get(name.toLowerCase())
}

async function readDirectory(
  zip: ZipFile,
  limits: ReadLimits,
): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  if (zip.entryCount > mostEntries) throw new FileProblem({ key: 'transfer.file.hostile' })
  let declared = 0
  let [parts, sheets] = [0, 0]
  for await (const entry of zip.eachEntry()) {
    const isUnread = unread.test(entry.fileName)
    const isSheet = worksheet.test(entry.fileName)
    if (!isUnread) declared += entry.uncompressedSize
    if (isSheet) sheets += 1
    else if (!isUnread) parts += 1
    // yauzl itself refuses names that are absolute or contain `..`. Duplicate names would let two
    // readers see different contents.
    // A sheet may have a part with its references.
    if (sheets > 2 * limits.sheets)
      throw new FileProblem({ key: 'transfer.file.tooManySheets', params: { n: limits.sheets } })
    if (
      parts > limits.entries ||
      isUnsafe(entry) ||
      entries.has(entry.fileName) ||
      (!isUnread &&
        (nested.test(entry.fileName) ||
          exceedsRatio(entry.uncompressedSize, entry.compressedSize, limits)))
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
    !entry.canDecodeFileData()
  )
}

function exceedsRatio(unpacked: number, packed: number, { ratio }: ReadLimits): boolean {
  return unpacked > megabyte && unpacked - megabyte > ratio * Math.max(packed, 1)
}
