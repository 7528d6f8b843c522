import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { GroupQuery } from '@jiaowu/api/entity/list/list-query'
import { useText } from '../../../app/text-context.ts'

/** Names the table by its dimensions. */
export function useTableTitle(config: EntityConfig, { column, table }: GroupQuery): string {
  const { t } = useText()
  const label = (name: string) =>
    config.fields.find(({ attrName }) => attrName === name)?.uiLabel ?? name
  return table?.across === undefined
    ? t('table.title', { name: label(column) })
    : t('table.crossTitle', { rows: label(column), columns: label(table.across.column) })
}
