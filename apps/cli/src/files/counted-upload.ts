/** `fetch` that tells how many bytes of the body have left: it is sent as a stream, which is counted. */
export function countedUpload(
  url: string,
  init: RequestInit,
  onSent: (bytes: number) => void,
): Promise<Response> {
  const form = new Response(init.body as FormData)
  const headers = new Headers(init.headers)
  headers.set('content-type', form.headers.get('content-type') ?? '')
  let sent = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, out) => {
      sent += chunk.byteLength
      onSent(sent)
      out.enqueue(chunk)
    },
  })
  // A stream may be sent one way only; the word for it is Node's.
  return fetch(url, {
    ...init,
    headers,
    body: (form.body as ReadableStream<Uint8Array>).pipeThrough(counted),
    duplex: 'half',
  } as RequestInit)
}
