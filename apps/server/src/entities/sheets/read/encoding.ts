// The encoding of a text file: by its mark, else by what its bytes can be.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { TextEncoding } from '@jiaowu/api'

/** Bytes that are enough to tell encodings of Chinese apart. */
const sampleBytes = 65_536

export interface FoundEncoding {
  readonly name: TextEncoding
  /** The bytes could be another encoding too. */
  readonly isGuess: boolean
  /** Some bytes fit no encoding that was tried: the user has to choose. */
  readonly isBroken?: true
}

export async function encodingOf(path: string): Promise<FoundEncoding> {
  const handle = await open(path, 'r')
  const buffer = Buffer.alloc(sampleBytes)
  const { bytesRead } = await handle.read(buffer, 0, sampleBytes, 0).finally(() => handle.close())
  const sample = buffer.subarray(0, bytesRead)
  const wide = utf16Of(sample)
  if (wide === null && (await decodes(path, 'utf-8'))) return { name: 'utf-8', isGuess: false }
  const found = wide ?? {
    name: isWestern(sample) ? 'windows-1252' : chineseOf(sample),
    isGuess: true,
  }
  if (await decodes(path, found.name)) return found
  return { name: wide?.name ?? nearestOf(sample), isGuess: true, isBroken: true }
}

/** The one that most of the text fits: a file can be cut in the middle, or put together of two. */
function nearestOf(sample: Buffer): TextEncoding {
  const lost = (name: TextEncoding) => new TextDecoder(name).decode(sample).split('\ufffd').length
  return (['utf-8', 'gb18030', 'big5'] as const).reduce((best, name) =>
    lost(name) < lost(best) ? name : best,
  )
}

/**
 * Letters with accents stand alone among plain ones, and are few. Chinese characters are pairs of bytes
 * that follow one another.
 */
function isWestern(sample: Buffer): boolean {
  const isHigh = (byte = 0) => byte >= 0x80
  let [high, letters, runs, single] = [0, 0, 0, 0]
  for (const [i, byte] of sample.entries()) {
    if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) letters += 1
    if (!isHigh(byte)) continue
    high += 1
    if (isHigh(sample[i - 1])) continue
    runs += 1
    if (!isHigh(sample[i + 1])) single += 1
  }
  return high < letters / 2 && (single >= runs * 0.8 || !fits('gb18030', sample))
}

/** By its mark; without one, because every second byte of its line breaks and separators is 0. */
function utf16Of(sample: Buffer): FoundEncoding | null {
  if (sample[0] === 0xff && sample[1] === 0xfe) return { name: 'utf-16le', isGuess: false }
  if (sample[0] === 0xfe && sample[1] === 0xff) return { name: 'utf-16be', isGuess: false }
  const zeros = [0, 0]
  for (let i = 0; i < sample.length; i += 1)
    if (sample[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < sample.length / 50) return null
  return { name: odd > even ? 'utf-16le' : 'utf-16be', isGuess: true }
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

/**
 * GB18030 or Big5. Both use pairs of bytes. The second byte of the common characters of GB18030 is
 * 0xA1 or more; in Big5 it is below 0x7F for nearly half of them.
 */
function chineseOf(sample: Buffer): 'gb18030' | 'big5' {
  let [pairs, low] = [0, 0]
  for (let i = 0; i < sample.length - 1; i += 1) {
    const lead = sample[i] ?? 0
    if (lead < 0x81) continue
    const trail = sample[i + 1] ?? 0
    // A digit in second place begins one of the characters of four bytes that only GB18030 has.
    if (trail >= 0x30 && trail <= 0x39) return 'gb18030'
    pairs += 1
    if (trail < 0x7f) low += 1
    i += 1
  }
  return low > pairs / 5 && fits('big5', sample) ? 'big5' : 'gb18030'
}

function fits(encoding: 'gb18030' | 'big5', sample: Buffer): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}
