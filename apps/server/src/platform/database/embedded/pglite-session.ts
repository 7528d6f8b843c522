// Uses PGlite through PostgreSQL's wire protocol, so that the pg driver serves both engines with the
// same parser, error class and binding of values.
import type { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'

export const extensions = { pg_trgm, unaccent }

/** Replies are split into pieces of this size, so that a long one does not block the main thread. */
const pieceBytes = 256 * 1024

/** Passes protocol messages to PGlite and the reply to `emit` in pieces. Returns whether a transaction is open. */
export async function exchangeMessages(
  pg: PGlite,
  messages: Uint8Array,
  emit: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<boolean> {
  let piece = new Uint8Array(16 * 1024)
  let used = 0
  const collect = (bytes: Uint8Array) => {
    if (used + bytes.length > piece.length) {
      const grown = new Uint8Array(Math.max(piece.length * 2, used + bytes.length))
      grown.set(piece.subarray(0, used))
      piece = grown
    }
    piece.set(bytes, used)
    used += bytes.length
    if (used >= pieceBytes) {
      emit(piece.slice(0, used))
      used = 0
    }
  }
  // NodeFS and MemoryFS need no write-back after a statement.
  await pg.execProtocolRawStream(messages, { syncToFs: false, onRawData: collect })
  if (used > 0) emit(piece.slice(0, used))
  return pg.isInTransaction()
}

/** Resets the only session of PGlite for the next client. */
export async function resetSession(pg: PGlite) {
  if (pg.isInTransaction()) await pg.exec('rollback')
  await pg.exec('discard all')
}
