import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { Readable } from 'node:stream'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.png': 'image/png', '.ico': 'image/x-icon',
  '.woff2': 'font/woff2', '.woff': 'font/woff', '.json': 'application/json; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8', '.wasm': 'application/wasm', '.webp': 'image/webp', '.jpg': 'image/jpeg', '.txt': 'text/plain; charset=utf-8',
}

/** The built web. Routes live behind `#`, so only `/` is the page; whatever else is not there is a 404. Hashed names are kept for a year. */
export const staticFiles = (root: string) => async (pathname: string, headOnly: boolean): Promise<Response | null> => {
  let decoded: string
  try { decoded = decodeURIComponent(pathname) } catch { return null }
  const path = normalize(join(root, decoded === '/' ? 'index.html' : decoded))
  const type = types[extname(path)]
  if (!path.startsWith(root + sep) || type === undefined || decoded.includes('\0')) return null
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isFile()) return null
  const headers = { 'content-type': type, 'content-length': String(found.size), 'cache-control': decoded.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache' }
  return new Response(headOnly ? null : (Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>), { headers })
}
