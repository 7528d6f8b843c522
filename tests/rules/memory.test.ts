// The server remembers things between calls in one place, which has limits and shows in /metrics
// (docs/rules/design.md#memory).
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const source = resolve(import.meta.dirname, '../../apps/server/src')

/** Maps of modules that grow, with the reason why `Services.memory` does not hold them. */
const others: Readonly<Record<string, string>> = {
  'documents/pdf/layout/fonts.ts': 'font files, of the thread that draws',
  'platform/database/postgres/prepared.ts': 'statements of the driver, below the services',
}

it('no module of the server keeps a map that grows', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: source })) {
    if (file.endsWith('.test.ts')) continue
    const text = await readFile(join(source, file), 'utf8')
    // `new Map([...])` is a table; a WeakMap forgets with its keys.
    if (/^(?:export )?const \w+(?:: [^=]+)? = new (?:Map|Set)(?:<.*>)?\(\)/m.test(text)) {
      const isTable = /^(?:export )?const \w+: ReadonlyMap<|^(?:export )?const no\w+/m.test(text)
      if (!isTable) found.push(file)
    }
    const perServer = /new WeakMap<\w+\['database'\], (?:Map|Set)</.test(text)
    if (perServer) found.push(file)
  }
  const running = ['entities/export/export.ts', 'platform/jobs/queues.ts']
  expect(found.toSorted()).toEqual([...Object.keys(others), ...running].toSorted())
})
