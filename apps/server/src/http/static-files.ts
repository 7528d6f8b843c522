import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context, MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { etag } from 'hono/etag'
import { serveStatic } from 'hono/serve-static'

/** Other files of the build, such as source maps, are not served. */
const servedExtensions = new Set([
  '.html',
  '.js',
  '.mjs',
  '.css',
  '.json',
  '.txt',
  '.wasm',
  '.svg',
  '.png',
  '.jpg',
  '.webp',
  '.ico',
  '.woff2',
  '.woff',
  '.ttf',
  '.bcmap',
  '.pfb',
])

/** By the suffix with which Hono asks for the compressed form of a file. */
const compressors: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer<ArrayBuffer>>>> = {
  '.br': (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  '.gz': (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

interface StaticFile {
  readonly path: string
  readonly etag: string
}
interface StaticEnv {
  Variables: { file?: StaticFile }
}

/**
 * Serves the built web. Its routes live behind `#`, so only `/` is the page and any other path that
 * names no file is a 404. Names with a hash (`/assets/`) are cached for a year, all others are
 * revalidated. Each file is compressed at its first request and the result kept in memory.
 */
export function staticFiles(root: string): MiddlewareHandler {
  const compressed = new Map<string, Promise<Buffer<ArrayBuffer>>>()

  /** Hono calls this for the file, then once for each encoding that the client accepts. */
  const getContent = async (path: string, c: Context<StaticEnv>) => {
    const file = c.get('file')
    const bytes = await (file === undefined
      ? readPlain(path, c)
      : readCompressed(file, path.slice(file.path.length)))
    if (bytes !== null) c.header('content-length', String(bytes.byteLength))
    return bytes
  }

  const readCompressed = async ({ path, etag: tag }: StaticFile, suffix: string) => {
    const compress = compressors[suffix]
    if (compress === undefined) return null
    const key = `${tag} ${path}${suffix}`
    const made = compressed.get(key) ?? readFile(path).then(compress)
    compressed.set(key, made)
    return made
  }

  return every(
    etag(),
    serveStatic<StaticEnv>({
      root,
      precompressed: true,
      getContent,
      rewriteRequestPath: (path) => (path === '/' ? '/index.html' : path),
      onFound: (path, c) => {
        c.header('vary', 'accept-encoding')
        c.header(
          'cache-control',
          path.startsWith(`${root}/assets/`) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    }),
  )
}

async function readPlain(path: string, c: Context<StaticEnv>): Promise<Buffer<ArrayBuffer> | null> {
  if (!servedExtensions.has(extname(path))) return null
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isFile()) return null
  const tag = `W/"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}"`
  c.set('file', { path, etag: tag })
  c.header('etag', tag)
  return readFile(path)
}
