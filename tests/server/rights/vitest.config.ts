// Compiles the mutants of mutant-list.ts into the server; a global switch takes out one check at a time.
import { join } from 'node:path'
import { mergeConfig } from 'vitest/config'
import base from '../../../vitest.config.ts'
import { mutants } from './mutant-list.ts'

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
          return mutants.reduce(
            (text, { file, text: check, without }, index) =>
              id.split('?')[0] === join(source, file)
                ? text.replace(check, () =>
                    without.replaceAll('OFF', `(globalThis as { off?: number }).off === ${index}`),
                  )
                : text,
            code,
          )
        },
      },
    ],
    test: { include: ['tests/server/rights/mutants.run.ts'], isolate: true },
  },
)
