// @vitest-environment happy-dom
// Builds the recipes for `jiaowu machine report`; it loads the pages, so it runs where web walks run.
import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { decisions } from '../../apps/server/src/model/shipped/decisions.ts'
import { buildFlowMachine, listFieldNames } from '../../apps/cli/src/machine-report/flow-book.ts'
import type { PathBook } from '../../apps/cli/src/machine-report/path-book.ts'
import { buildBookMachine } from './recipes/build-book.ts'
import { wantedMachines } from './walk.ts'

test('the paths in words', async () => {
  const machines = []
  for (const name of wantedMachines()) machines.push(await buildBookMachine(name))
  const flows = decisions.flatMap(({ tag, name, nameEn, options, fields }) =>
    options?.flow === undefined
      ? []
      : [
          buildFlowMachine({
            tag,
            name: { zh: name, en: nameEn ?? name },
            flow: options.flow,
            fields: listFieldNames(fields),
          }),
        ],
  )
  const book: PathBook = { version: 1, machines: [...machines, ...flows] }
  writeFileSync(process.env.PATHS_BOOK ?? 'paths.json', `${JSON.stringify(book)}\n`)
}, 600_000)
