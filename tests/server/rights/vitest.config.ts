// Compiles the mutants of mutant-list.ts into the server; a global switch takes out one check at a time.
import { join } from 'node:path'
import { mergeConfig } from 'vitest/config'
import base from '../../../vitest.config.ts'
import { editsOf, mutants } from './mutant-list.ts'

const source = join(import.meta.dirname, '..', '..', '..', 'apps', 'server', 'src')
const root = join(import.meta.dirname, '..', '..', '..')

export default mergeConfig(
  { ...base, test: { ...base.test, projects: undefined } },
  {
    root,
    plugins: [
      {
        name: 'rights-mutants',
        enforce: 'pre',
        transform(code: string, id: string) {
          const path = id.split('?')[0]
          const edits = mutants.flatMap((mutant, index) =>
            editsOf(mutant).map((edit) => ({ ...edit, index })),
          )
          return edits
            .filter(({ file }) => path === join(source, file))
            .reduce(
              (text, { text: check, without, index }) => withSwitch(text, check, without, index),
              code,
            )
        },
      },
    ],
    test: { include: ['tests/server/rights/mutants.run.ts'], isolate: true },
  },
)

/** Puts a switch around a check. */
function withSwitch(code: string, check: string, without: string, index: number): string {
  if (!code.includes(check)) throw new Error(`the check of mutant ${index} is gone: ${check}`)
  const off = `((globalThis as { off?: number }).off === ${index})`
  return code.replace(check, () => without.replaceAll('OFF', off))
}
