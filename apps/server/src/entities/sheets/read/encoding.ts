// The encoding of a text file: by its mark, else by what its bytes can be.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import {
  type FoundEncoding as EncodingByBytes,
  guessEncoding,
  detectUtf16,
} from '@jiaowu/api/text-encoding'
import type { TextEncoding } from '@jiaowu/api/contract/job'

/** Bytes that are enough to tell encodings of Chinese apart. */
const sampleBytes = 65_536

export interface FoundEncoding extends EncodingByBytes {
  /** Some bytes fit no encoding that was tried: the user has to choose. */
  readonly isBroken?: true
}

export async function detectEncoding(path: string): Promise<FoundEncoding> {
  const handle = await open(path, 'r')
  const buffer = Buffer.alloc(sampleBytes)
  const { bytesRead } = await handle.read(buffer, 0, sampleBytes, 0).finally(() => handle.close())
  const sample = buffer.subarray(0, bytesRead)
  const wide = detectUtf16(sample)
  if (wide === null && (await decodes(path, 'utf-8'))) return { name: 'utf-8', isGuess: false }
  const found = wide ?? { name: guessEncoding(sample), isGuess: true }
  if (await decodes(path, found.name)) return found
  return { name: wide?.name ?? guessNearestEncoding(sample), isGuess: true, isBroken: true }
}

/** The one that most of the text fits: a file can be cut in the middle, or put together of two. */
function guessNearestEncoding(sample: Buffer): TextEncoding {
  const lost = (name: TextEncoding) => new TextDecoder(name).decode(sample).split('\ufffd').length
  return (['utf-8', 'gb18030', 'big5'] as const).reduce((best, name) =>
    lost(name) < lost(best) ? name : best,
  )
}

/** Whether the whole file is valid in the encoding. */
async function decodes(path: string, name: TextEncoding): Promise<boolean> {
  const decoder = new TextDecoder(name, { fatal: true })
  try {
    for await (const piece of createReadStream(path))
      decoder.decode(piece as Buffer, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}
