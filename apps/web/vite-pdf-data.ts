import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const packageFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
/**
 * Data that pdf.js loads on demand: character maps and fonts for PDFs that embed none, and image
 * decoders.
 */
const folders = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  wasm: /_nowasm_fallback\.js$/,
} as const

/**
 * Serves and bundles these files under a path with the version of pdf.js, so that browsers may
 * cache them without expiry. Defines `PDF_DATA` as that path.
 */
export function pdfData(): Plugin {
  let base = ''
  return {
    name: 'pdf-data',
    config: async () => {
      const { version } = JSON.parse(
        await readFile(join(packageFolder, 'package.json'), 'utf8'),
      ) as {
        version: string
      }
      base = `assets/pdfjs-${version}/`
      return { define: { PDF_DATA: JSON.stringify(`/${base}`) } }
    },
    configureServer: (server) => {
      server.middlewares.use((request, response, next) => {
        const [, folder = '', file = ''] =
          new RegExp(`^/${base}(\\w+)/([\\w.-]+)$`).exec(request.url ?? '') ?? []
        if (folder in folders && folders[folder as keyof typeof folders].test(file))
          createReadStream(join(packageFolder, folder, file))
            .on('error', next)
            .pipe(response)
        else next()
      })
    },
    generateBundle: async function () {
      for (const [folder, wanted] of Object.entries(folders)) {
        for (const file of await readdir(join(packageFolder, folder)))
          if (wanted.test(file))
            this.emitFile({
              type: 'asset',
              fileName: `${base}${folder}/${file}`,
              source: await readFile(join(packageFolder, folder, file)),
            })
      }
    },
  }
}
