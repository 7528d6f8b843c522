// POSIX tar (ustar, https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html): a backup opens with `tar xzf`.

/** One file of a backup. */
export interface Part {
  readonly name: string
  readonly bytes: Buffer
}

const block = 512
const longestName = 100

/** The bytes of an archive. */
export async function* packTar(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  for await (const { name, bytes } of parts) {
    yield buildHeader(name, bytes.length)
    yield bytes
    yield Buffer.alloc(padding(bytes.length))
  }
  yield Buffer.alloc(2 * block)
}

/** @throws Error for what is no whole archive */
export async function* unpackTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  const { take, readToEnd } = cutBytes(chunks)
  for (;;) {
    const header = await take(block)
    if (header.every((byte) => byte === 0)) break
    const { name, size } = parseHeader(header)
    const bytes = await take(size)
    await take(padding(size))
    yield { name, bytes }
  }
  await readToEnd()
}

function buildHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(block)
  if (Buffer.byteLength(name) > longestName) throw new Error(`${name} is too long for an archive`)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${sumBytes(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) =>
    header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const sum = Number.parseInt(text(148, 8), 8)
  const copy = Buffer.from(header)
  copy.write('        ', 148)
  if (sum !== sumBytes(copy)) throw new Error('a header does not fit its checksum')
  return { name: text(0, longestName), size: Number.parseInt(text(124, 12), 8) }
}

function sumBytes(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => sum + byte, 0)
}

function padding(size: number): number {
  return (block - (size % block)) % block
}

function cutBytes(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return {
    /** So many bytes from the front. */
    take: async (wanted: number): Promise<Buffer> => {
      const taken = [rest]
      let { length } = rest
      while (length < wanted) {
        const { value, done } = await iterator.next()
        if (done === true) throw new Error('it ends early')
        taken.push(value)
        length += value.length
      }
      const all = taken.length === 1 ? rest : Buffer.concat(taken)
      rest = all.subarray(wanted)
      return all.subarray(0, wanted)
    },
    /** So that the stream below checks its last bytes too. */
    readToEnd: async (): Promise<void> => {
      while ((await iterator.next()).done !== true);
    },
  }
}
