import { defineConfig } from 'vite'

/** Loaded only by screens: they stay in node_modules, away from what every command reads. */
const screens = ['ink', 'react', 'react/jsx-runtime', '@xstate/react', 'qrcode']

export default defineConfig({
  root: import.meta.dirname,
  // The same build whoever asks for it: a test run builds with NODE_ENV=test.
  mode: 'production',
  oxc: { jsx: { runtime: 'automatic', development: false } },
  ssr: { target: 'node', noExternal: true, external: screens },
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node22',
    minify: false,
    // The tests read from the maps which sources a command loads.
    sourcemap: 'hidden',
    rolldownOptions: {
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
