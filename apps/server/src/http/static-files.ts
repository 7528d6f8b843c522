import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.txt': 'text/plain; charset=utf-8',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
}
const packs = /^(text|application)\/|svg/

type Encoding = 'br' | 'gzip'
const pack: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/**
 * The built web. Routes live behind `#`, so only `/` is the page; whatever else is not there is a 404. Names with a hash are kept
 * for a year, the rest is asked for anew. Files are packed once and kept in memory: they are few.
 */
export function staticFiles(root: string) {
  const packed = new Map<string, Promise<Buffer>>()
  const bodyOf = (path: string, tag: string, encoding: Encoding | undefined): Promise<Buffer> => {
    if (encoding === undefined) return readFile(path)
    const key = `${encoding} ${tag} ${path}`
    const made = packed.get(key) ?? readFile(path).then(pack[encoding])
    packed.set(key, made)
    return made
  }
  return async (
    pathname: string,
    { method, headers: asked }: Request,
  ): Promise<Response | null> => {
    const place = placeOf(root, pathname)
    const found = place === null ? null : await stat(place.path).catch(() => null)
    if (place === null || found === null || !found.isFile()) return null
    const tag = `W/"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}"`
    const headers: Record<string, string> = {
      etag: tag,
      vary: 'accept-encoding',
      'cache-control': place.name.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    }
    if (asked.get('if-none-match') === tag) return new Response(null, { status: 304, headers })
    const encoding = encodingFor(asked.get('accept-encoding') ?? '', place.type)
    const body = await bodyOf(place.path, tag, encoding)
    Object.assign(
      headers,
      { 'content-type': place.type, 'content-length': String(body.byteLength) },
      encoding === undefined ? {} : { 'content-encoding': encoding },
    )
    return new Response(method === 'HEAD' ? null : new Uint8Array(body), { headers })
  }
}

/** A file's place under the root, or null when the path leads out of it or names nothing that is served. */
function placeOf(
  root: string,
  pathname: string,
): { path: string; name: string; type: string } | null {
  let name: string
  try {
    name = decodeURIComponent(pathname)
  } catch {
    return null
  }
  const path = normalize(join(root, name === '/' ? 'index.html' : name))
  const type = types[extname(path)]
  return !path.startsWith(root + sep) || type === undefined || name.includes('\0')
    ? null
    : { path, name, type }
}

function encodingFor(accept: string, type: string): Encoding | undefined {
  return packs.test(type)
    ? (['br', 'gzip'] as const).find((name) =>
        new RegExp(`(^|[,\\s])${name}\\s*(?!;\\s*q=0(\\.0*)?\\s*(,|$))(;|,|$)`).test(accept),
      )
    : undefined
}
