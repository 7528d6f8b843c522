import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/**
 * The SHA-256 of a file in hexadecimal, read in chunks. crypto.subtle is missing on plain http,
 * which a school's network may use.
 */
export async function hashFile(file: Blob): Promise<string> {
  const hash = sha256.create()
  const reader = file.stream().getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    hash.update(piece.value)
  return bytesToHex(hash.digest())
}
