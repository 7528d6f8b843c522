import { defineConfig } from 'vite'

/**
 * Packages that only screens use: kept out of the bundle, so that other commands do not load them.
 */
const screens = ['ink', 'react', 'react/jsx-runtime', '@xstate/react', 'qrcode']
/** Finds its WebAssembly beside itself. */
const filters = ['jq-wasm']

export default defineConfig({
  root: import.meta.dirname,
  // Without a fixed mode, a build started by a test run (NODE_ENV=test) would differ.
  mode: 'production',
  oxc: { jsx: { runtime: 'automatic', development: false } },
  ssr: { target: 'node', noExternal: true, external: [...screens, ...filters] },
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node22',
    minify: false,
    // The tests read from the source maps which sources a command loads.
    sourcemap: 'hidden',
    rolldownOptions: {
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
