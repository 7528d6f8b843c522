import { msw } from 'msw/vite'
import type { Plugin } from 'vite'

/** With `JIAOWU_MOCK=1` the page starts the mocked console; the worker script is served during development only. */
export function mockConsole(): Plugin[] {
  if (process.env.JIAOWU_MOCK !== '1') return []
  return [
    msw({ mode: 'worker-only' }),
    {
      name: 'mock-console',
      apply: 'serve',
      transformIndexHtml: (html) => html.replace('/src/main.tsx', '/mock/main.ts'),
    },
  ]
}
