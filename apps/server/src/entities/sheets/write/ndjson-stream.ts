import { Readable } from 'node:stream'

/** Objects in chunks; the next chunk is read when the one before was consumed. */
export type ObjectChunks = AsyncIterable<readonly Readonly<Record<string, unknown>>[]>

/** One JSON object per line, with values in wire form. */
export function ndjsonStream(chunks: ObjectChunks): Readable {
  const lines = async function* () {
    for await (const chunk of chunks)
      if (chunk.length > 0) yield `${chunk.map((row) => JSON.stringify(row)).join('\n')}\n`
  }
  return Readable.from(lines(), { objectMode: false })
}
