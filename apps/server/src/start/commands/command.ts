import type { ParseArgsOptionsConfig } from 'node:util'
import { randomInt } from 'node:crypto'
import { pino } from 'pino'
import type { Services } from '../../model/context.ts'
import { type LateAuditKeys, lateAuditKeys } from '../../platform/audit/keys.ts'
import { openAuditKeys } from '../../platform/audit/open-keys.ts'
import { lateKeys } from '../../platform/keys/keys.ts'
import { createRegistry } from '../../model/definition/registry/registry.ts'
import { migrate, migrationSeconds } from '../../platform/database/migrations/migrate.ts'
import { migrations } from '../../platform/database/migrations/index.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { inStartTurn } from '../../platform/database/start-turn.ts'
import { snowflake } from '../../platform/id.ts'
import { standardError } from '../../platform/log.ts'
import { useOutgoingProxy } from '../../platform/outgoing-proxy.ts'
import { createMemory } from '../../platform/memory.ts'
import { readSettings } from '../../platform/settings/settings.ts'

/** A command of the server; a row of the table in server-main.ts. */
export interface Command {
  /** Arguments after the name: `FILE`, `[--since DATE]`. */
  readonly usage: string
  /** One line for the list of commands. */
  readonly help: string
  readonly options?: ParseArgsOptionsConfig
  /** How many positional arguments it takes. */
  readonly positionals?: number
  /** Prints its result to stdout and returns the exit code. A thrown error is printed as a sentence. */
  readonly run: (args: Arguments) => Promise<number>
}

export interface Arguments {
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

/** Exit codes, as those of `jiaowu`. */
export const exit = { done: 0, fault: 1, usage: 2, findings: 7 } as const

/** The arguments are wrong: printed with the usage of the command, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function print(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}

/**
 * Runs `work` on the database of the settings after applying missing migrations, with the keys of
 * personal data and of the audit log still closed. On the embedded
 * database no server may run on the same data directory.
 */
export async function withServices<Result>(
  work: (services: Services & { readonly auditKeys: LateAuditKeys }) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(process.env)
  const log = pino({ level: 'warn' }, standardError())
  useOutgoingProxy(process.env, log)
  const database = await openDatabase(settings, log)
  try {
    await database.long(
      () => inStartTurn(database, log, () => migrate(database.untyped, migrations, log)),
      migrationSeconds,
    )
    const keys = lateKeys()
    const now = () => new Date()
    return await work({
      database,
      settings,
      log,
      keys,
      auditKeys: lateAuditKeys(),
      registry: createRegistry(database, log, { keys, schemas: settings.businessSchemas }),
      newId: snowflake(randomInt(1024)),
      now,
      memory: createMemory(now),
    })
  } finally {
    await database.close()
  }
}

/** The same with the keys of the audit log open, for commands that read or write it. @throws AuditKeyError */
export function withAuditLog<Result>(
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  return withServices(async (services) => {
    const { database, log, auditKeys } = services
    auditKeys.use(await inStartTurn(database, log, () => openAuditKeys(services)))
    return await work(services)
  })
}
