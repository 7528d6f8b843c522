import { Duplex } from 'node:stream'
import type { Engine } from './engine.ts'

const startup = 0
/** Messages after which the driver waits for an answer: Sync, Query, CopyDone, CopyFail. */
const awaited: readonly number[] = [...'SQcf'].map((letter) => letter.charCodeAt(0))
const terminate = 'X'.charCodeAt(0)

/** What the pg driver takes for its socket. It passes whole messages on to the engine and comes back with the answers. */
export class Wire extends Duplex {
  #engine: Engine
  #session: number | undefined
  #gathered: Uint8Array[] = []

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
      this.#gathered.push(message)
      if (kind === startup || awaited.includes(kind)) this.#forward()
    }
    done()
  }

  #forward() {
    const messages = new Uint8Array(this.#gathered.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of this.#gathered) {
      messages.set(part, at)
      at += part.length
    }
    this.#gathered = []
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
