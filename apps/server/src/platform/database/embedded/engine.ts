/** Callbacks of a session. */
export interface Receiver {
  receive(bytes: Uint8Array): void
  lost(error: Error): void
}

/** Runs one PostgreSQL session at a time and exchanges whole protocol messages. */
export interface Engine {
  /** Resolves when sessions can be opened. */
  ready(): Promise<void>
  open(receiver: Receiver): number
  send(session: number, messages: Uint8Array<ArrayBuffer>): void
  /** Ends the session and rolls back its open transaction. */
  end(session: number): void
}
