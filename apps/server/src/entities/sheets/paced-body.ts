import type { Readable } from 'node:stream'

/** A reader that takes nothing for this long is gone, although its connection is open. */
const stallMs = 30_000

export class ReaderStalled extends Error {
  constructor() {
    super(`The reader of an export took nothing for ${stallMs / 1000} s.`)
    this.name = 'ReaderStalled'
  }
}

/**
 * The file as a body that is read at the client's pace. Ends it with ReaderStalled when the client
 * stops reading, so that its connection to the database and its place are free again.
 */
export function pacedBody(file: Readable, ms = stallMs): ReadableStream<Uint8Array> {
  const chunks = file[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      // Called when the client has taken everything.
      pull: async (controller) => {
        clearTimeout(timer)
        const { done, value } = await chunks.next()
        if (done === true) {
          controller.close()
          return
        }
        timer = setTimeout(() => {
          const stalled = new ReaderStalled()
          file.destroy(stalled)
          controller.error(stalled)
        }, ms)
        controller.enqueue(value)
      },
      cancel: () => {
        clearTimeout(timer)
        file.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}
