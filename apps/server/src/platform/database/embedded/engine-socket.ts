import { Duplex } from 'node:stream'
import type { Engine } from './engine.ts'

const startup = 0
/** Messages after which the driver waits for a reply: Sync, Query, CopyDone, CopyFail. */
const replyExpected: readonly number[] = [...'SQcf'].map((letter) => letter.charCodeAt(0))
const terminate = 'X'.charCodeAt(0)

/** The socket of the pg driver: passes whole protocol messages to the engine and its replies back. */
export class EngineSocket extends Duplex {
  #engine: Engine
  #session: number | undefined
  #pending: Uint8Array[] = []

  constructor(engine: Engine) {
    super()
    this.#engine = engine
  }

  connect() {
    this.#engine.ready().then(
      () => {
        if (this.destroyed) return
        this.#session = this.#engine.open({
          receive: (bytes) => {
            this.push(bytes)
          },
          lost: (error) => {
            this.#session = undefined
            this.destroy(error)
          },
        })
        this.emit('connect')
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    )
    return this
  }

  setNoDelay() {
    return this
  }
  setKeepAlive() {
    return this
  }
  ref() {
    return this
  }
  unref() {
    return this
  }

  override _read() {}

  /** The driver writes one whole message at a time. */
  override _write(message: Uint8Array, _encoding: BufferEncoding, done: (error?: Error) => void) {
    const kind = message[0]
    if (kind !== undefined && kind !== terminate) {
      this.#pending.push(message)
      if (kind === startup || replyExpected.includes(kind)) this.#forward()
    }
    done()
  }

  #forward() {
    const messages = new Uint8Array(this.#pending.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of this.#pending) {
      messages.set(part, at)
      at += part.length
    }
    this.#pending = []
    if (this.#session !== undefined) this.#engine.send(this.#session, messages)
  }

  #hangUp() {
    if (this.#session !== undefined) this.#engine.end(this.#session)
    this.#session = undefined
  }

  override _final(done: (error?: Error) => void) {
    this.#hangUp()
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    this.#hangUp()
    done(error)
  }
}
