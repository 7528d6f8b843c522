// The page that shows and tries the API: Swagger UI, served from here alone, under the policy of every reply.
import type { Locale } from '@jiaowu/api/locale'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { replySecured } from './requests/security-headers.ts'

export const docsPath = '/api/docs'

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
/** Files of the viewer; no other file of its package is served. */
const viewerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/**
 * The default policy passes what the viewer builds: it cleans descriptions by DOMPurify, and they are texts of this
 * server. Without the policy of the browser it needs none.
 */
const start = `
if (window.trustedTypes) trustedTypes.createPolicy('default', { createHTML: (text) => text })
SwaggerUIBundle({
  url: '/api/openapi.json?lang=' + document.documentElement.lang,
  dom_id: '#viewer',
  docExpansion: 'none',
  filter: true,
  tagsSorter: 'alpha',
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

/** Null for an address that the page does not have. */
export async function answerDocs(path: string, locale: Locale): Promise<Response | null> {
  if (path === docsPath) return reply(buildPage(locale), 'text/html; charset=utf-8')
  const name = path.slice(docsPath.length + 1)
  if (name === 'start.js') return reply(start, 'text/javascript; charset=utf-8')
  const type = Object.hasOwn(viewerFiles, name) ? viewerFiles[name] : undefined
  return type === undefined ? null : reply(await readFile(join(folder, name)), type, 3600)
}

function reply(body: string | Buffer<ArrayBuffer>, type: string, seconds = 0): Response {
  const caching = seconds === 0 ? 'no-store' : `private, max-age=${seconds}`
  return replySecured(body, 200, { 'content-type': type, 'cache-control': caching })
}

function buildPage(locale: Locale): string {
  const title = locale === 'en' ? 'Jiaowu API' : '教务系统接口'
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<link rel="stylesheet" href="${docsPath}/swagger-ui.css">
</head>
<body>
<main id="viewer"></main>
<script src="${docsPath}/swagger-ui-bundle.js"></script>
<script src="${docsPath}/start.js"></script>
</body>
</html>
`
}
