import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
/** What the viewer asks for when a file needs it: character maps and fonts of files that embed none, decoders of rare pictures. */
const folders = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  wasm: /_nowasm_fallback\.js$/,
} as const

/** Serves those files at an address that carries the library's version, so that they may be kept for ever. `PDF_DATA` tells it to the source. */
export function pdfData(): Plugin {
  let base = ''
  return {
    name: 'pdf-data',
    config: async () => {
      const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as {
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
          createReadStream(join(home, folder, file))
            .on('error', next)
            .pipe(response)
        else next()
      })
    },
    generateBundle: async function () {
      for (const [folder, wanted] of Object.entries(folders)) {
        for (const file of await readdir(join(home, folder)))
          if (wanted.test(file))
            this.emitFile({
              type: 'asset',
              fileName: `${base}${folder}/${file}`,
              source: await readFile(join(home, folder, file)),
            })
      }
    },
  }
}
