// The entry of `npm run dev -- --mock`: starts the double of the server in the browser, then the console.
import { contractHandlers } from '@jiaowu/mock'
import { setupWorker } from 'msw/browser'
import { consoleAnswers } from './console-answers.ts'

await setupWorker(...contractHandlers(consoleAnswers())).start({
  quiet: true,
  onUnhandledFrame: 'bypass',
})
await import('../src/main.tsx')
