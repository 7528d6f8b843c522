type Reader = ReadableStreamDefaultReader<Uint8Array>

/** What a reader gives, one piece an asking and none ahead. `cancel` instead of the reader's own, where leaving ends more than that. */
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
