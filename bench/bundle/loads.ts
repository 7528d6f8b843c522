import type { Page } from 'playwright-core'

export interface Load {
  /** On the network, with headers. */
  readonly bytes: number
  readonly requests: number
  /** Requests to the API. */
  readonly calls: number
  /** `bytes path` of each, largest first. */
  readonly files: readonly string[]
}

/** Counts what the page loads from now on. The browser offers one encoding only. */
export async function watchLoads(page: Page, encoding: 'gzip' | 'br'): Promise<() => Load> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': encoding } })
  const paths = new Map<string, string>()
  const sizes = new Map<string, number>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('http')) paths.set(requestId, new URL(request.url).pathname)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sizes.set(requestId, encodedDataLength)
  })
  return () => {
    const found = [...paths]
      .map(([id, path]) => ({ path, bytes: sizes.get(id) ?? 0 }))
      .toSorted((a, b) => b.bytes - a.bytes)
    return {
      bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
      requests: found.length,
      calls: found.filter(({ path }) => path.startsWith('/api/')).length,
      files: found.map(({ path, bytes }) => `${bytes} ${path}`),
    }
  }
}
