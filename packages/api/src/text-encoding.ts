// The encoding of a text by its bytes: by its mark, else by what they can be.
import type { TextEncoding } from './contract/job.ts'

export interface FoundEncoding {
  readonly name: TextEncoding
  /** The bytes could be another encoding too. */
  readonly isGuess: boolean
}

/** UTF-16 by its mark; without one, because every second byte of its line breaks and separators is 0. */
export function detectUtf16(sample: Uint8Array): FoundEncoding | null {
  if (sample[0] === 0xff && sample[1] === 0xfe) return { name: 'utf-16le', isGuess: false }
  if (sample[0] === 0xfe && sample[1] === 0xff) return { name: 'utf-16be', isGuess: false }
  const zeros = [0, 0]
  for (let i = 0; i < sample.length; i += 1)
    if (sample[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < sample.length / 50) return null
  return { name: odd > even ? 'utf-16le' : 'utf-16be', isGuess: true }
}

/** An encoding of bytes that are neither UTF-16 nor valid UTF-8. */
export function guessEncoding(sample: Uint8Array): TextEncoding {
  return isWestern(sample) ? 'windows-1252' : guessChineseEncoding(sample)
}

/** The text of bytes that are certainly UTF-8 or UTF-16, without their mark; null for others. */
export function unicodeText(bytes: Uint8Array): string | null {
  const wide = detectUtf16(bytes)
  try {
    return new TextDecoder(wide?.name ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Letters with accents stand alone among plain ones, and are few. Chinese characters are pairs of bytes
 * that follow one another.
 */
function isWestern(sample: Uint8Array): boolean {
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
  return high < letters / 2 && (single >= runs * 0.8 || !canDecode('gb18030', sample))
}

/**
 * GB18030 or Big5. Both use pairs of bytes. The second byte of the common characters of GB18030 is
 * 0xA1 or more; in Big5 it is below 0x7F for nearly half of them.
 */
function guessChineseEncoding(sample: Uint8Array): 'gb18030' | 'big5' {
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
  return low > pairs / 5 && canDecode('big5', sample) ? 'big5' : 'gb18030'
}

function canDecode(encoding: 'gb18030' | 'big5', sample: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}
