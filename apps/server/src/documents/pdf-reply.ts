import { disposition } from '../platform/files/reply.ts'

/** A PDF as a download, never cached and sandboxed. */
export function buildPdfReply(bytes: Uint8Array, fileName: string): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(bytes.byteLength),
      'content-disposition': disposition('attachment', fileName),
      'cache-control': 'no-store',
      'content-security-policy': `sandbox; default-src 'none'`,
    },
  })
}
