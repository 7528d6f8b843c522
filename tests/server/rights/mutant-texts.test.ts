// The mutants of the table of rights run in a script of their own (`mutants.ts`). A mutant whose text is
// gone would try nothing there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listSourceEdits, mutants } from './mutant-list.ts'

const source = join(import.meta.dirname, '../../../apps/server/src')

it.each(mutants.map((mutant) => [mutant.check, mutant] as const))(
  'finds what it takes out once: %s',
  (_check, mutant) => {
    for (const { file, text, without } of listSourceEdits(mutant)) {
      const parts = readFileSync(join(source, file), 'utf8').split(text)
      expect({ file, times: parts.length - 1 }).toEqual({ file, times: 1 })
      expect(without).toContain('OFF')
    }
  },
)
