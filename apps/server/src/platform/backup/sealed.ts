// Encrypts a stream as age does (https://age-encryption.org/v1, STREAM): pieces of 64 KB under AES-256-GCM, whose
// nonces count them and mark the last one, so that no piece can be moved, left out or cut off. The format is in
// docs/operations/backup.md.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export const sealedMark = Buffer.from('jiaowu-sealed 1\n')
const [saltBytes, pieceBytes, tagBytes] = [32, 64 * 1024, 16]

/** The key is wrong, or the bytes were changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

export async function* seal(plain: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const own = deriveKey(key, salt)
  yield Buffer.concat([sealedMark, salt])
  let number = 0
  for await (const { piece, isLast } of cutPieces(plain, pieceBytes)) {
    const cipher = createCipheriv('aes-256-gcm', own, buildNonce(number, isLast))
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
    number += 1
  }
}

/** @param sealed without its mark @throws SealBroken */
export async function* unseal(sealed: AsyncIterable<Buffer>, key: Buffer): AsyncGenerator<Buffer> {
  const own: { key?: Buffer } = {}
  const body = async function* () {
    let head = Buffer.alloc(0)
    for await (const chunk of sealed) {
      if (own.key !== undefined) {
        yield chunk
        continue
      }
      head = Buffer.concat([head, chunk])
      if (head.length < saltBytes) continue
      own.key = deriveKey(key, head.subarray(0, saltBytes))
      yield head.subarray(saltBytes)
    }
  }
  let number = 0
  for await (const { piece, isLast } of cutPieces(body(), pieceBytes + tagBytes)) {
    if (own.key === undefined || piece.length < tagBytes) throw new SealBroken()
    const end = piece.length - tagBytes
    const decipher = createDecipheriv('aes-256-gcm', own.key, buildNonce(number, isLast))
    decipher.setAuthTag(piece.subarray(end))
    try {
      yield Buffer.concat([decipher.update(piece.subarray(0, end)), decipher.final()])
    } catch (error) {
      throw new SealBroken('a piece does not fit its key', { cause: error })
    }
    number += 1
  }
}

function deriveKey(key: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, 'jiaowu backup 1', 32))
}

function buildNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Pieces of one size; the last, which may be shorter, is known as the last. */
async function* cutPieces(
  chunks: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    length += chunk.length
    if (length <= size) continue
    let all = Buffer.concat(waiting)
    for (; all.length > size; all = all.subarray(size))
      yield { piece: all.subarray(0, size), isLast: false }
    waiting = [all]
    length = all.length
  }
  yield { piece: Buffer.concat(waiting), isLast: true }
}
