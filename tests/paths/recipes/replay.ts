// `node tests/paths/recipes/replay.ts`, for `jiaowu machine replay`: repeats the path of PATHS_REPLAY.
import { resolve } from 'node:path'
import { startVitest } from 'vitest/node'
import { browserPath } from '../../../scripts/browser.ts'
import type { Replay } from './replay-path.ts'

const { surface } = JSON.parse(process.env.PATHS_REPLAY ?? '{}') as Replay
process.env.NODE_ENV = 'test'
if (surface === 'chromium') process.env.CHROMIUM_PATH ??= browserPath()
const runner = await startVitest('test', [], {
  root: resolve(import.meta.dirname, '../../..'),
  config: false,
  watch: false,
  include: ['tests/paths/replay.walk.ts'],
  environment: surface === 'web' ? 'happy-dom' : 'node',
  reporters: [
    {
      onTestCaseResult: (test) => {
        for (const { message } of test.result().errors ?? []) console.error(message)
      },
      onTestRunEnd: (_modules, errors) => {
        for (const { message } of errors) console.error(message)
      },
    },
  ],
  pool: 'threads',
  maxWorkers: 1,
  silent: true,
})
const hasFailed = runner?.state.getCountOfFailedTests() !== 0
await runner?.close()
process.exit(hasFailed ? 1 : 0)
