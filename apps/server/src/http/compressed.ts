import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Below this a header more and the time take more than the network gains. */
const leastBytes = 1_024

/** Preferred first: gzip takes half the processor time of a Brotli that packs as small. */
const encodings = [
  { name: 'gzip', compress: promisify<Buffer, Buffer<ArrayBuffer>>(gzip) },
  {
    name: 'br',
    compress: (bytes: Buffer) =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 4,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
        },
      }),
  },
] as const

/**
 * The answer in a form that the caller accepts, with its headers. Its length tells an eavesdropper nothing that a
 * page of an attacker could steer: calls carry a bearer token, which no other site's page can send
 * (docs/rules/security.md#w3).
 */
export async function compressAnswer(
  text: string,
  accepted: string | null,
): Promise<{ body: string | Buffer<ArrayBuffer>; headers: Record<string, string> }> {
  const found = encodings.find(({ name }) => accepts(accepted, name))
  const length = Buffer.byteLength(text)
  if (found === undefined || length < leastBytes)
    return { body: text, headers: { 'content-length': String(length) } }
  const body = await found.compress(Buffer.from(text))
  return {
    body,
    headers: {
      'content-length': String(body.byteLength),
      'content-encoding': found.name,
      vary: 'accept-encoding',
    },
  }
}

function accepts(accepted: string | null, encoding: string): boolean {
  return (accepted ?? '').split(',').some((entry) => {
    const [name = '', ...params] = entry.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !params.some((param) => /^q=0(?:\.0*)?$/.test(param))
  })
}
