import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { watchedEnvironment } from '../../apps/server/testing/statements/offences.ts'
import { nodeFlags } from './node-flags.ts'

const root = join(import.meta.dirname, '..', '..')

/**
 * Runs a command of the server to its end. Commands are over before optimised machine code of the
 * embedded database would pay: compiling it takes seconds of processor time.
 */
export function serverCommand(words: readonly string[], env: Readonly<Record<string, string>>) {
  return spawnSync(
    process.execPath,
    [...nodeFlags, 'apps/server/src/start/commands/server-main.ts', ...words],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        APP_ENV: 'test',
        LOG_LEVEL: 'warn',
        ...watchedEnvironment(),
        ...env,
      },
    },
  )
}

/** Runs an SQL file on an embedded database that no server holds. @throws Error with its complaint */
export function runSqlFile(file: string, dataDir: string): string {
  const { status, stdout, stderr } = serverCommand(['sql', file], { DATA_DIR: dataDir })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
