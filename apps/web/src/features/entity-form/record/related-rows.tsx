import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { RelatedList } from '@jiaowu/api/contract/entity/search'
import { entityPermission } from '@jiaowu/api/entity/permission'
import type { Page } from '@jiaowu/api/entity/list/page'
import type { Row } from '@jiaowu/api/entity/values'
import { useApi } from '../../../app/api-context.ts'
import { buildRelatedPath, relatedValue } from '../../../app/related-path.ts'
import { useText } from '../../../app/text-context.ts'
import { findFieldSurface } from '../../../fields/index.tsx'
import { paths } from '../../../paths.ts'
import { AdminTable } from '../../../ui/admin-table.tsx'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'

const mostRows = 50
const mostColumns = 7

/** The rows of a list that name the record, with the ways to the list itself and to its grid. */
export function RelatedRows({ list, row }: { readonly list: RelatedList; readonly row: Row }) {
  const { api, can } = useApi()
  const { t } = useText()
  const { tag, attrName } = list
  const found = useResource({
    query: relatedValue(list, row),
    load: async (value, signal): Promise<{ config: EntityConfig; page: Page<Row> }> => {
      const params = { tag }
      const body = { pageSize: mostRows, pageNum: 1, queries: { [attrName]: value } }
      const [config, page] = await Promise.all([
        api.entityData.config({ params, signal }),
        api.entityData.page({ params, body, signal }),
      ])
      return { config, page }
    },
  })
  const path = buildRelatedPath(list, row)
  return (
    <ResourceBody of={found}>
      {({ config, page }) => (
        <div className="jw-record__list">
          <p className="jw-record__bar">
            <span>{t('record.rows', { n: page.total ?? page.records.length })}</span>
            <a href={`#${path}`}>{t('record.openList')}</a>
            {can(entityPermission(tag, 'update')) && config.refuses?.includes('update') !== true ? (
              <a href={`#${path}&mode=grid`}>{t('grid.open')}</a>
            ) : null}
          </p>
          <AdminTable
            label={list.name}
            columns={chooseColumns(config, attrName).map((field) => ({
              key: field.attrName,
              header: field.uiLabel,
              cell: (each: Row) => <RelatedCell tag={tag} field={field} row={each} />,
            }))}
            rows={page.records}
            empty={t('record.none', { name: list.name })}
            actions={{
              header: t('list.operation'),
              cell: ({ id }) => <a href={`#${paths.details(tag, { id })}`}>{t('common.view')}</a>,
            }}
          />
        </div>
      )}
    </ResourceBody>
  )
}

function RelatedCell({
  tag,
  field,
  row,
}: {
  readonly tag: string
  readonly field: Field
  readonly row: Row
}) {
  const { Cell } = findFieldSurface(field.uiType)
  return <Cell tag={tag} field={field} value={row[field.attrName] ?? null} row={row} />
}

/** The columns of the list without the one that names the record, which is the same in all rows. */
function chooseColumns({ fields }: EntityConfig, attrName: string): readonly Field[] {
  return fields
    .filter((field) => field.isList === 1 && field.attrName !== attrName)
    .slice(0, mostColumns)
}
