// The encoding of a text file: by its mark, else by what its bytes can be.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

/** Bytes that are enough to tell encodings of Chinese apart. */
const sampleBytes = 65_536

export async function encodingOf(path: string): Promise<string> {
  const handle = await open(path, 'r')
  const buffer = Buffer.alloc(sampleBytes)
  const { bytesRead } = await handle.read(buffer, 0, sampleBytes, 0).finally(() => handle.close())
  const sample = buffer.subarray(0, bytesRead)
  return utf16Of(sample) ?? ((await isUtf8(path)) ? 'utf-8' : chineseOf(sample))
}

/** By its mark; without one, because every second byte of its line breaks and separators is 0. */
function utf16Of(sample: Buffer): string | null {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le'
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (let i = 0; i < sample.length; i += 1)
    if (sample[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < sample.length / 50) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
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
  return low > pairs / 5 && isBig5(sample) ? 'big5' : 'gb18030'
}

function isBig5(sample: Buffer): boolean {
  try {
    new TextDecoder('big5', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}
