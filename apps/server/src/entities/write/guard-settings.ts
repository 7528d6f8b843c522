import { sql } from 'kysely'
import { Invalid } from '../../platform/refusal.ts'
import { settingFault } from '../../platform/settings/school-settings.ts'
import { type Batch, readRowKeys } from './writer.ts'

/** Refuses values of known settings out of their bounds, through whatever entity of SYS_PARAM's table. */
export async function guardSettings({ trx, writer, rows: written }: Batch): Promise<void> {
  const { table, definition } = writer.entity
  if (table.schema !== 'sys' || table.name !== 'param') return
  const { rows } = await sql<{ code: string; value: string | null }>`
    select code, value from sys.param
    where tenant_id = ${writer.context.subject.tenant}::int8
      and id::text = any(${readRowKeys(written)}::text[])`.execute(trx)
  const field = definition.fields.find(({ columnName, attrName }) =>
    [columnName, attrName].includes('value'),
  )
  for (const { code, value } of rows) {
    const message = settingFault(code, value)
    if (message !== null)
      throw new Invalid([{ path: field?.attrName ?? 'value', rule: 'range', message }])
  }
}
