/** `fetch` with upload progress in bytes: sends the body as a stream and counts its chunks. */
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
  // Node requires `duplex: 'half'` for a stream as a body; the types of `fetch` do not know it.
  return fetch(url, {
    ...init,
    headers,
    body: (form.body as ReadableStream<Uint8Array>).pipeThrough(counted),
    duplex: 'half',
  } as RequestInit)
}
