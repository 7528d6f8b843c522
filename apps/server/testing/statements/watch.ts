// Checks each statement that goes to a database of a test. Loading this module starts it.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { adoptedTables } from './adopted.ts'
import { checkStatement, declareAdopted, type Finding } from './check-statement.ts'
import { exceptionFor, exemptFolders, noteUse, plainText } from './exceptions.ts'
import { reportOffence } from './offences.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
/** Verdicts by text: most statements repeat. */
const verdicts = new Map<string, readonly Finding[]>()
/** With a file name here, every new text is added to that file: mutants.ts reads it. */
const corpus = process.env['STATEMENT_CORPUS']

const watched = Symbol.for('jiaowu.statements.watched')
const client = pg.Client.prototype as pg.Client & { [watched]?: true }

if (client[watched] === undefined) {
  client[watched] = true
  // oxlint-disable-next-line typescript/unbound-method
  const query = client.query as unknown as (...args: unknown[]) => unknown
  client.query = function watchedQuery(this: pg.Client, ...args: unknown[]) {
    watch(args[0], args[1])
    return query.apply(this, args)
  } as unknown as typeof client.query
}

function watch(statement: unknown, given: unknown): void {
  const text = typeof statement === 'string' ? statement : readStatementText(statement)
  if (text === null) return
  const adopted = adoptedTables(text, (statement as { values?: unknown }).values ?? given)
  if (adopted.length > 0) {
    declareAdopted(adopted)
    verdicts.clear()
  }
  let findings = verdicts.get(text)
  if (findings === undefined) {
    const exception = exceptionFor(text)
    if (exception !== undefined) noteUse(exception)
    findings = exception !== undefined ? [] : checkStatement(text)
    verdicts.set(text, findings)
    if (corpus !== undefined)
      appendFileSync(corpus, `${JSON.stringify({ text, place: findOrigin() })}\n`)
  }
  if (findings.length === 0) return
  const place = findOrigin()
  if (
    isOfTests(place) ||
    exemptFolders.some((folder) => place.startsWith(`apps/server/src/${folder}`))
  )
    return
  const list = findings.map(({ table, fault }) => `${table}: ${fault}`)
  reportOffence(`${list.join('; ')}\n  in ${place}\n  ${plainText(text).slice(0, 1000)}`)
}

function readStatementText(statement: unknown): string | null {
  const text = (statement as { text?: unknown } | null)?.text
  return typeof text === 'string' ? text : null
}

/**
 * Tells whether a test sent the statement itself, to prepare or look at a database: it is no
 * statement of the product.
 */
function isOfTests(place: string): boolean {
  return /^tests\/|^apps\/server\/testing\/|\.test\.ts/.test(place)
}

/** Files that only pass statements on. */
const passing = ['apps/server/testing/statements/', 'apps/server/src/platform/database/postgres/']

/** `apps/server/src/identity/sessions.ts:30` of the code that sent it; empty when the stack has lost it. */
function findOrigin(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const stack = new Error('origin').stack ?? ''
  Error.stackTraceLimit = limit
  for (const line of stack.split('\n')) {
    const [, file, at] = /(?:file:\/\/)?(\/[^():]+\.ts):(\d+)/.exec(line) ?? []
    if (file === undefined || file.includes('/node_modules/')) continue
    const path = relative(root, file)
    if (!passing.some((part) => path.startsWith(part))) return `${path}:${at}`
  }
  return ''
}
