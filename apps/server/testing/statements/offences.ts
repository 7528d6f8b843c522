// Statements of the product that name no school, until the end of the test that sent them.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { usesVariable } from './exceptions.ts'

interface Store {
  offences: string[]
}
const key = Symbol.for('jiaowu.statements')
/** Test files of one worker share it, however often this module is loaded. */
const store = ((globalThis as { [key]?: Store })[key] ??= { offences: [] })

/** Servers that tests start as processes write theirs to this file. */
const fileVariable = 'STATEMENT_OFFENCES'

export function reportOffence(offence: string): void {
  const file = process.env[fileVariable]
  if (file === undefined) store.offences.push(offence)
  else appendFileSync(file, `${JSON.stringify(offence)}\n`)
}

/** The environment of a server process whose statements are watched. */
export function watchedEnvironment(): Record<string, string> {
  const uses = process.env[usesVariable]
  return {
    ...(uses !== undefined && { [usesVariable]: uses }),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${new URL('watch-process.ts', import.meta.url).href}`,
    [fileVariable]: fileOfWorker(),
  }
}

/** Takes the offences reported since the last call. */
export function takeOffences(): string[] {
  const found = [...store.offences]
  store.offences = []
  const file = fileOfWorker()
  if (existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n'))
      if (line !== '') found.push(JSON.parse(line) as string)
    rmSync(file)
  }
  return [...new Set(found)]
}

function fileOfWorker(): string {
  return join(tmpdir(), `jiaowu-offences-${process.pid}`)
}
