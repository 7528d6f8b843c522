import { sql } from 'kysely'
import type { Subject } from '../../platform/context.ts'
import { Invalid } from '../../platform/refusal.ts'
import { settingFault } from '../../platform/settings/school-settings.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'

/**
 * Refuses values of known settings out of their bounds, through whatever entity of SYS_PARAM's table. Call
 * after each write of these rows, in its transaction. @throws Invalid
 */
export async function guardSettings(
  db: { readonly getExecutor: unknown },
  { tenant }: Pick<Subject, 'tenant'>,
  { table, definition }: LoadedEntity,
  ids: readonly string[],
): Promise<void> {
  if (table.schema !== 'sys' || table.name !== 'param' || ids.length === 0) return
  const { rows } = await sql<{ code: string; value: string | null }>`
    select code, value from sys.param
    where tenant_id = ${tenant}::int8 and id::text = any(${ids}::text[])`.execute(db as never)
  const field = definition.fields.find(({ columnName, attrName }) =>
    [columnName, attrName].includes('value'),
  )
  for (const { code, value } of rows) {
    const message = settingFault(code, value)
    if (message !== null)
      throw new Invalid([{ path: field?.attrName ?? 'value', rule: 'range', message }])
  }
}
