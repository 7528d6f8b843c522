// Takes each single tie to a school out of each statement that the server tests send, and counts how
// many of these mutants the check of statements refuses:
// `STATEMENT_CORPUS=FILE npx vitest run apps/server tests/server`, then
// `node tests/server/schools/mutants.ts FILE`. Seconds for the second command.
import { readFileSync } from 'node:fs'
import {
  checkTree,
  statementsIn,
  tablesIn,
} from '../../../apps/server/testing/statements/check-statement.ts'
import {
  exceptionFor,
  exceptions,
  plainText,
} from '../../../apps/server/testing/statements/exceptions.ts'
import { listStatementMutants } from '../../../apps/server/testing/statements/mutants.ts'
import { tablePlacement } from '../../../apps/server/src/platform/database/tables/table-placement.ts'

interface Sent {
  readonly text: string
  /** The place of the code that sent the statement. */
  readonly place: string
}

const placements: Readonly<Record<string, string>> = tablePlacement
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: node tests/server/schools/mutants.ts CORPUS')
reportMutants(parseCorpus(file))

/** The statements of the product, one of each text. */
function parseCorpus(corpus: string): ReadonlyMap<string, Sent> {
  const found = new Map<string, Sent>()
  for (const line of readFileSync(corpus, 'utf8').split('\n')) {
    if (line === '') continue
    const sent = JSON.parse(line) as Sent
    if (sent.place.startsWith('apps/server/src/') && !/\.test\.ts|\/migrations\//.test(sent.place))
      found.set(plainText(sent.text), sent)
  }
  return found
}

function reportMutants(kinds: ReadonlyMap<string, Sent>): void {
  const used = new Set([...kinds.keys()].map((text) => exceptionFor(text)))
  let [onSchools, refusedKinds, mutants, refused, twiceNamed] = [0, 0, 0, 0, 0]
  const survivors: string[] = []
  for (const [text, { place }] of kinds) {
    if (exceptionFor(text) !== undefined) continue
    for (const statement of statementsIn(text)) {
      const tables = tablesIn(statement).filter((name) => /^(?:biz|sys)\./.test(name))
      // Tables that a test has added are not declared: nothing is demanded of them.
      if (!tables.some((name) => placements[name] === 'school')) continue
      onSchools += 1
      if (checkTree(statement).length > 0) refusedKinds += 1
      if (tables.some((name) => placements[name] === undefined)) continue
      for (const mutant of listStatementMutants(statement)) {
        mutants += 1
        if (checkTree(mutant).length > 0) refused += 1
        else if (isRefusedLater(mutant)) twiceNamed += 1
        else survivors.push(`${place}\n    ${text.slice(0, 400)}`)
      }
    }
  }
  const lines = [
    `${kinds.size} kinds of statement of the product, ${onSchools} of them on tables of schools`,
    `${refusedKinds} refused by the check, ${used.size - (used.has(undefined) ? 1 : 0)} of ${exceptions.length} exceptions used`,
    ...exceptions
      .filter((each) => !used.has(each))
      .map(({ statement }) => `  unused: ${statement}`),
    `${mutants} mutants: ${refused} refused, ${twiceNamed} still tied by another mention and refused without that`,
    `${survivors.length} not refused:`,
    ...[...new Set(survivors)].map((survivor) => `  ${survivor}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Refused once the other mentions of the school are gone too. */
function isRefusedLater(
  mutant: ReturnType<typeof listStatementMutants>[number],
  depth = 1,
): boolean {
  return listStatementMutants(mutant).some(
    (less) => checkTree(less).length > 0 || (depth < 3 && isRefusedLater(less, depth + 1)),
  )
}
