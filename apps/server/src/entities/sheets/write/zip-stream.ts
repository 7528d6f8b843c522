// Writes a zip as a stream: entries are deflated while they are read, in constant memory. The zip
// libraries we depend on either do not compress or do not respect backpressure.
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

/**
 * Flags: sizes follow the data, names are UTF-8. Date: 1 January 2026, to make output reproducible.
 */
const headerFields = { version: 20, sizesFollow: 0x0808, deflate: 8, date: 0x5c21 } as const
interface WrittenEntry {
  readonly name: Buffer
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

/** A larger zip needs ZIP64, which this writer does not support; a million wide rows stay below. */
const maxBytes = 0xffff_ffff

/**
 * Reads the entries only as fast as the stream is consumed. Destroying it ends the current entry.
 */
export function zipStream(entries: Iterable<ZipEntry>, level: number): Readable {
  return Readable.from(zipChunks(entries, level), { objectMode: false, highWaterMark: 64 * 1024 })
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(headerFields.version, 4)
  header.writeUInt16LE(headerFields.sizesFollow, 6)
  header.writeUInt16LE(headerFields.deflate, 8)
  header.writeUInt16LE(headerFields.date, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, packed, size }: Pick<WrittenEntry, 'crc' | 'packed' | 'size'>): Buffer {
  const found = Buffer.alloc(16)
  found.writeUInt32LE(0x08074b50, 0)
  found.writeUInt32LE(crc, 4)
  found.writeUInt32LE(packed, 8)
  found.writeUInt32LE(size, 12)
  return found
}

function directoryLine({ name, crc, packed, size, at }: WrittenEntry): Buffer {
  const line = Buffer.alloc(46)
  line.writeUInt32LE(0x02014b50, 0)
  line.writeUInt16LE(headerFields.version, 4)
  line.writeUInt16LE(headerFields.version, 6)
  line.writeUInt16LE(headerFields.sizesFollow, 8)
  line.writeUInt16LE(headerFields.deflate, 10)
  line.writeUInt16LE(headerFields.date, 14)
  line.writeUInt32LE(crc, 16)
  line.writeUInt32LE(packed, 20)
  line.writeUInt32LE(size, 24)
  line.writeUInt16LE(name.length, 28)
  line.writeUInt32LE(at, 42)
  return Buffer.concat([line, name])
}

function endOfDirectory(count: number, length: number, at: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(at, 16)
  return end
}

async function* zipChunks(entries: Iterable<ZipEntry>, level: number): AsyncGenerator<Buffer> {
  const done: WrittenEntry[] = []
  let at = 0
  for (const { name: text, content } of entries) {
    const name = Buffer.from(text)
    const start = at
    let [crc, size, packed] = [0, 0, 0]
    const counted = async function* () {
      for await (const piece of content) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
        crc = crc32(bytes, crc)
        size += bytes.byteLength
        yield bytes
      }
    }
    const header = localHeader(name)
    at += header.length
    yield header
    const source = Readable.from(counted(), { objectMode: false })
    const deflate = createDeflateRaw({ level, chunkSize: 64 * 1024 })
    pipeline(source, deflate, () => {}) // errors surface in the loop below
    try {
      for await (const piece of deflate) {
        const bytes = piece as Buffer
        packed += bytes.length
        yield bytes
      }
    } finally {
      source.destroy()
      deflate.destroy()
    }
    at += packed + 16
    if (at > maxBytes || size > maxBytes)
      throw new Error('the file is larger than a zip without its 64-bit form can be')
    yield descriptor({ crc, packed, size })
    done.push({ name, crc, packed, size, at: start })
  }
  const lines = done.map(directoryLine)
  yield Buffer.concat([
    ...lines,
    endOfDirectory(
      done.length,
      lines.reduce((sum, line) => sum + line.length, 0),
      at,
    ),
  ])
}
