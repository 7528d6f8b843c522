import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { mockConsole } from './mock/plugin.ts'
import { pdfData } from './vite-pdf-data.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pdfData(), ...mockConsole()],
  server: { proxy: { '/api': 'http://127.0.0.1:7300' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // The policy allows no inline script, and the polyfill is for browsers we do not support.
    modulePreload: { polyfill: false },
  },
})
