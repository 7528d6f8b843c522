type Reader = ReadableStreamDefaultReader<Uint8Array>

/** A stream over a reader that reads nothing ahead. `cancel` replaces the reader's own when given. */
export function relay(
  reader: Pick<Reader, 'read' | 'cancel'>,
  cancel: (reason: unknown) => Promise<void> | undefined = (reason) => reader.cancel(reason),
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (out) => {
        const { done, value } = await reader.read()
        if (done) out.close()
        else out.enqueue(value)
      },
      cancel,
    },
    { highWaterMark: 0 },
  )
}
