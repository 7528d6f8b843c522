// `node tests/paths/recipes/write-book.ts FILE [MACHINE…]`: writes the machines and their paths in words of both
// languages. `jiaowu machine report` calls it in a checkout, and `npm run pack:terminal` for the archive.
import { resolve } from 'node:path'
import { startVitest } from 'vitest/node'
import { models } from '../../machines/registry.ts'

const [file, ...names] = process.argv.slice(2)
if (file === undefined || names.some((name) => !(name in models))) {
  console.error('usage: write-book.ts FILE [MACHINE…]')
  process.exit(2)
}
Object.assign(process.env, {
  PATHS_BOOK: resolve(file),
  PATHS_MACHINES: names.join(),
  NODE_ENV: 'test',
})
const runner = await startVitest('test', [], {
  root: resolve(import.meta.dirname, '../../..'),
  config: false,
  watch: false,
  include: ['tests/paths/recipes.walk.ts'],
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
