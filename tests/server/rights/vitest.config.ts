// Compiles the mutants of mutant-list.ts into the server; a global switch takes out one check at a time.
import { join } from 'node:path'
import { mergeConfig } from 'vitest/config'
import base from '../../../vitest.config.ts'
import { listSourceEdits, mutants } from './mutant-list.ts'

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
          const edits = mutants
            .flatMap((mutant, index) => listSourceEdits(mutant).map((edit) => ({ ...edit, index })))
            .filter(({ file }) => path === join(source, file))
          return [...Map.groupBy(edits, ({ text }) => text).values()].reduce(
            (text, same) => withSwitch(text, same),
            code,
          )
        },
      },
    ],
    test: { include: ['tests/server/rights/mutants.run.ts'], isolate: true },
  },
)

/** Puts a switch around a check, for all mutants that take it out. */
function withSwitch(
  code: string,
  same: readonly { readonly text: string; readonly without: string; readonly index: number }[],
): string {
  const [first] = same
  if (first === undefined) return code
  const indexes = same.map(({ index }) => index)
  if (!code.includes(first.text))
    throw new Error(`the check of mutants ${indexes.join()} is gone: ${first.text}`)
  const off = `([${indexes.join()}].includes((globalThis as { off?: number }).off ?? -1))`
  return code.replace(first.text, () => first.without.replaceAll('OFF', off))
}
