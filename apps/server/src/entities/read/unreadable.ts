// Errors of views and functions that came with somebody else's tables, met while reading rows.
import type { Context } from '../../model/context.ts'
import { failureOfSource } from '../../platform/database/problems.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { isOwnSchema } from '../../model/definition/school-columns.ts'

/**
 * Runs `read`, whose statements read rows of the entity. The database's message is logged and not
 * answered: it may quote values of columns that the caller may not see.
 * @throws Refusal 422 with the SQLSTATE when a view, a function or a computed value of a table from
 * elsewhere fails; other errors unchanged
 */
export async function guardReading<Result>(
  { log, traceId }: Pick<Context, 'log' | 'traceId'>,
  { definition, table, tag }: LoadedEntity,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const state = isOwnSchema(table.schema) ? null : failureOfSource(error)
    if (state === null) throw error
    log.warn({ err: error, tag, traceId }, 'the source of an entity cannot be read')
    throw new Refusal(422, {
      key: 'problem.unreadable',
      params: { entity: definition.name, table: `${table.schema}.${table.name}`, state },
    })
  }
}
