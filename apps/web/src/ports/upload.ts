/**
 * `fetch` with upload progress in bytes, over XMLHttpRequest: `fetch` itself reports no upload
 * progress in browsers.
 */
export function uploadFetch(
  url: string,
  init: RequestInit,
  onSent: (bytes: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const { signal } = init
    const abort = () => request.abort()
    request.open(init.method ?? 'POST', url)
    request.responseType = 'blob'
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () =>
      resolve(
        new Response(request.response as Blob, {
          status: request.status,
          headers: parseResponseHeaders(request),
        }),
      )
    request.onerror = () => reject(new TypeError('the network failed'))
    request.onabort = () =>
      reject(
        signal?.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'),
      )
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    if (signal?.aborted === true) {
      reject(signal.reason as Error)
      return
    }
    signal?.addEventListener('abort', abort, { once: true })
    request.send(init.body as FormData)
  })
}

function parseResponseHeaders(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}
