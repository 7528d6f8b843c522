import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { mockConsole } from './mock/plugin.ts'
import { blueprintParts } from './vite-blueprint.ts'
import { iconDrawings } from './vite-icons.ts'
import { textsByLanguage } from './vite-texts.ts'
import { resizeSensor } from './vite-resize-sensor.ts'
import { chunkGroups } from './vite-chunks.ts'
import { pdfData } from './vite-pdf-data.ts'
import { serverAddress } from './vite-server-address.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    blueprintParts(),
    iconDrawings(),
    resizeSensor(),
    pdfData(),
    textsByLanguage(),
    ...mockConsole(),
  ],
  server: { proxy: { '/api': serverAddress(process.env) } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // The content security policy forbids the inline script of the polyfill, and no supported
    // browser needs it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [...chunkGroups],
        },
      },
    },
  },
})
