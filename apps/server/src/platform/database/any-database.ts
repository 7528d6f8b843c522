import type { Kysely } from 'kysely'
import type { PlatformServices } from '../context.ts'

/** Entity tables have no static types: their names come from definitions. */
export type AnyDatabase = Kysely<unknown>

export function databaseOf({ database }: Pick<PlatformServices, 'database'>): AnyDatabase {
  return database.untyped
}
