/** What a wire hears from the engine behind it. */
export interface Receiver {
  receive(bytes: Uint8Array): void
  lost(error: Error): void
}

/** Something that runs one PostgreSQL session at a time and is spoken to in whole protocol messages. */
export interface Engine {
  /** Resolves when sessions can be opened, at once when they already can. */
  ready(): Promise<void>
  open(receiver: Receiver): number
  send(session: number, messages: Uint8Array<ArrayBuffer>): void
  /** Forgets the session; an open transaction is rolled back. */
  end(session: number): void
}
