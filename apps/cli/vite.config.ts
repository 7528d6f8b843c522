import { defineConfig } from 'vite'

/** Loaded only by screens: they stay in node_modules, away from what every command reads. */
const screens = ['ink', 'react', 'react/jsx-runtime', '@xstate/react', 'qrcode']

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic' } },
  ssr: { target: 'node', noExternal: true, external: screens },
  build: {
    ssr: 'src/main.ts', outDir: 'dist', emptyOutDir: true, target: 'node22', minify: false,
    // The tests read from the maps which sources a command loads.
    sourcemap: 'hidden',
    rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
  },
})
