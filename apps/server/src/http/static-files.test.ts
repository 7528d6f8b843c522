import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { staticFiles } from './static-files.ts'

let folder: string
let get: (
  path: string,
  headers?: Record<string, string>,
  method?: string,
) => Promise<Response | null>
const script = 'export const x = 1\n'.repeat(500)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-static-'))
  const root = join(folder, 'dist')
  await mkdir(join(root, 'assets'), { recursive: true })
  await writeFile(join(root, 'index.html'), '<!doctype html>')
  await writeFile(join(root, '.sources'), 'secret')
  await writeFile(join(root, 'assets', 'a-1234.js'), script)
  await writeFile(join(root, 'assets', 'a-1234.js.map'), '{}')
  await writeFile(join(folder, 'outside.js'), 'secret')
  await mkdir(join(folder, 'dist-other'))
  await writeFile(join(folder, 'dist-other', 'x.js'), 'secret')
  const app = new Hono().get('*', staticFiles(root))
  get = async (path, headers = {}, method = 'GET') => {
    const response = await app.request(`http://jiaowu.test${path}`, { method, headers })
    return response.status === 404 ? null : response
  }
})
afterAll(() => rm(folder, { recursive: true }))

it('serves the page at / only, revalidated each time', async () => {
  const page = await get('/')
  expect([
    page?.status,
    page?.headers.get('content-type'),
    page?.headers.get('cache-control'),
  ]).toEqual([200, 'text/html; charset=utf-8', 'no-cache'])
  for (const path of [
    '/entity',
    '/assets',
    '/assets/',
    '/nowhere.js',
    '/.sources',
    '/assets/a-1234.js.map',
  ])
    expect(await get(path)).toBe(null)
})
it('serves no file outside its folder', async () => {
  for (const path of [
    '/../outside.js',
    '/%2e%2e/outside.js',
    '/..%2foutside.js',
    '/assets/..%2f..%2foutside.js',
    '/../dist-other/x.js',
    '/%00.js',
    '/%E0%A4%A',
    '//outside.js',
    '/..\\outside.js',
  ])
    expect(await get(path)).toBe(null)
})
it('caches hashed names for a year, compressed as the client accepts', async () => {
  const plain = await get('/assets/a-1234.js')
  expect([
    plain?.headers.get('cache-control'),
    plain?.headers.get('vary'),
    plain?.headers.get('content-encoding'),
    await plain?.text(),
  ]).toEqual(['public, max-age=31536000, immutable', 'accept-encoding', null, script])
  const read = async (accept: string) => {
    const response = await get('/assets/a-1234.js', { 'accept-encoding': accept })
    return {
      encoding: response?.headers.get('content-encoding'),
      length: Number(response?.headers.get('content-length')),
      bytes: Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0)),
    }
  }
  const br = await read('gzip, deflate, br, zstd')
  expect([br.encoding, brotliDecompressSync(br.bytes).toString(), br.length]).toEqual([
    'br',
    script,
    br.bytes.byteLength,
  ])
  const gz = await read('gzip;q=1.0, br;q=0')
  expect([gz.encoding, gunzipSync(gz.bytes).toString()]).toEqual(['gzip', script])
  expect((await read('brotli, gzip;q=0.000')).encoding).toBe(null)
})
it('answers 304 to a known ETag, and HEAD without a body', async () => {
  const tag = (await get('/'))?.headers.get('etag') ?? ''
  expect((await get('/', { 'if-none-match': tag }))?.status).toBe(304)
  const head = await get('/', {}, 'HEAD')
  expect([head?.status, head?.headers.get('content-length'), await head?.text()]).toEqual([
    200,
    '15',
    '',
  ])
})
