// Lets the main thread cancel a statement of PGlite, which itself can neither cancel one nor time it
// out: its thread is busy until the statement ends. PostgreSQL looks at two flags in its memory now
// and then; here that memory is shared between the threads, so that the main thread can set them. The
// WebAssembly modules declare their memory as private, hence the change of that declaration.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The part of the platform's WebAssembly that is used here; the server's types do not declare it. */
export interface Memory {
  readonly buffer: SharedArrayBuffer
}
export type Exports = Readonly<Record<string, unknown>>
type Bytes = Uint8Array<ArrayBuffer>
interface WebAssembly {
  Memory: new (limits: { initial: number; maximum: number; shared: true }) => Memory
  Module: new (source: Bytes) => object
  instantiate(source: Bytes | object, imports: object): Promise<unknown>
}
const wasm = (globalThis as unknown as { WebAssembly: WebAssembly }).WebAssembly

/** Flags that the main thread needs. The numbers are addresses in bytes. */
export interface CancelFlags {
  readonly memory: Memory
  readonly queryCancelPending: number
  readonly interruptPending: number
}

/** Asks PostgreSQL to end the running statement with SQLSTATE 57014. */
export function requestCancel(flags: CancelFlags) {
  writeCancelFlags(flags, 1)
}

/** Call it before each statement, because a request may come just after the one it was meant for. */
export function clearCancel(flags: CancelFlags) {
  writeCancelFlags(flags, 0)
}

function writeCancelFlags(
  { memory, queryCancelPending, interruptPending }: CancelFlags,
  value: 0 | 1,
) {
  const words = new Int32Array(memory.buffer)
  // The second flag says that there is something to look at, so it comes last.
  Atomics.store(words, queryCancelPending / 4, value)
  Atomics.store(words, interruptPending / 4, value)
}

/** As PGlite makes it, in pages of 64 KB. */
const initialPages = 2048
const maximumPages = 32_768

export interface SharedModule {
  readonly memory: Memory
  readonly module: object
  /** The flags of an instance of the module. */
  flagsOf(exports: Exports): CancelFlags
}

/**
 * PGlite's module with shared memory. From then on this thread loads its extensions in the same way,
 * and can no longer create a database directory, which uses a module with memory of its own.
 */
export function shareMemory(): SharedModule {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const memory = new wasm.Memory({
    initial: initialPages,
    maximum: maximumPages,
    shared: true,
  })
  const module = new wasm.Module(withSharedMemory(readFileSync(join(folder, 'pglite.wasm'))))
  loadExtensionsShared()
  return {
    memory,
    module,
    flagsOf: (exports) => ({
      memory,
      queryCancelPending: findAddress(exports, 'QueryCancelPending'),
      interruptPending: findAddress(exports, 'InterruptPending'),
    }),
  }
}

function findAddress(exports: Exports, name: string): number {
  const address = Number((exports[name] as { value?: unknown } | undefined)?.value)
  if (!Number.isSafeInteger(address)) throw new Error(`PGlite does not export ${name}`)
  return address
}

function loadExtensionsShared() {
  const { Module, instantiate } = wasm
  wasm.instantiate = (source, imports) =>
    instantiate(ArrayBuffer.isView(source) ? withSharedMemory(toUnsigned(source)) : source, imports)
  wasm.Module = new Proxy(Module, {
    construct: (target, [source]: [Bytes]) => new target(withSharedMemory(toUnsigned(source))),
  })
}

/** PGlite passes the files of its extensions as signed bytes. */
function toUnsigned({ buffer, byteOffset, byteLength }: ArrayBufferView): Bytes {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

const importSection = 2
const kinds = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const
/** Flags of a memory's limits: it has a maximum (1) and is shared (2). */
const sharedWithMaximum = 3

/** The module with its imported memory declared as shared; the same bytes when it imports none. */
export function withSharedMemory(bytes: Bytes): Bytes {
  const reader = new Reader(bytes)
  reader.at = 8 // magic number and version
  while (reader.at < bytes.length) {
    const start = reader.at
    const id = reader.byte()
    const length = reader.number()
    const body = reader.at
    const memory = id === importSection ? memoryImport(reader) : null
    if (memory !== null) {
      const limits = [
        sharedWithMaximum,
        ...encodeVarint(memory.minimum),
        ...encodeVarint(maximumPages),
      ]
      const section = joinBytes(
        bytes.subarray(body, memory.start),
        Uint8Array.from(limits),
        bytes.subarray(memory.end, body + length),
      )
      return joinBytes(
        bytes.subarray(0, start),
        Uint8Array.from([importSection, ...encodeVarint(section.length)]),
        section,
        bytes.subarray(body + length),
      )
    }
    reader.at = body + length
  }
  return bytes
}

/** The position of an imported memory's limits. */
function memoryImport(reader: Reader) {
  for (let left = reader.number(); left > 0; left -= 1) {
    reader.skipName()
    reader.skipName()
    const kind = reader.byte()
    if (kind === kinds.memory) {
      const start = reader.at
      const { minimum } = reader.limits()
      return { start, end: reader.at, minimum }
    }
    if (kind === kinds.function) reader.number()
    else if (kind === kinds.table) {
      reader.byte()
      reader.limits()
    } else if (kind === kinds.global) reader.at += 2
    else if (kind === kinds.tag) {
      reader.byte()
      reader.number()
    } else throw new Error(`An import of unknown kind ${kind}`)
  }
  return null
}

class Reader {
  at = 0
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }
  byte(): number {
    const value = this.#bytes[this.at]
    if (value === undefined) throw new Error('The module ends too early')
    this.at += 1
    return value
  }
  /** LEB128, unsigned. */
  number(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  skipName() {
    const length = this.number()
    this.at += length
  }
  limits() {
    const flags = this.byte()
    const minimum = this.number()
    if ((flags & 1) === 1) this.number()
    return { minimum }
  }
}

function encodeVarint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...encodeVarint(Math.floor(value / 0x80))]
}

function joinBytes(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
