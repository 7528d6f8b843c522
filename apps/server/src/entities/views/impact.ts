// Finds the saved views that a change of a definition affects, by compiling them with full access
// under the definition before and after.
import { blankContent, type ViewContent } from '@jiaowu/api/entity/list/view'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { Impact } from '@jiaowu/api/entity/definition/stored'
import { messageText, t } from '@jiaowu/api/texts/index'
import type { Context } from '../../model/context.ts'
import type { EntityAccess } from '../../access/access.ts'
import { readCatalog } from '../../model/definition/catalog.ts'
import { loadEntity } from '../../model/definition/load-entity.ts'
import { always } from '../../model/definition/names.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { whereColumns } from '../read/filter/where.ts'
import { contentIn, visibleContent } from './content.ts'
import { renamedContent, findRenames } from './rename.ts'

const nothing: ViewContent = { ...blankContent, columns: [] }

/**
 * Lists the views of `before` that lose filters, sorts or columns; renamed fields are followed.
 * Losing a filter breaks a view, since it shows other rows. Private views of other users appear by
 * owner, without their name.
 */
export async function impactOnViews(
  context: Context,
  before: EntityDefinition,
  after: EntityDefinition,
): Promise<Impact[]> {
  const {
    database: { kysely },
    subject,
    locale,
  } = context
  const rows = await kysely
    .selectFrom('sys.list_view as v')
    .leftJoin('sys.app_user as u', (join) =>
      join.onRef('u.tenant_id', '=', 'v.tenant_id').onRef('u.id', '=', 'v.owner_id'),
    )
    .selectAll('v')
    .select('u.name as owner')
    .where('v.tenant_id', '=', subject.tenant)
    .where('v.tag', '=', before.tag)
    .orderBy('v.scope')
    .orderBy('v.id')
    .execute()
  if (rows.length === 0) return []
  const [accessBefore = null, accessAfter = null] = await fullAccess(
    databaseOf(context),
    subject.tenant,
    [before, after],
  )
  const renames = findRenames(before, after)
  const labelOf = (name: string) =>
    before.fields.find(({ attrName }) => attrName === name)?.uiLabel ?? name
  return rows.flatMap((row): Impact[] => {
    const content = contentIn(row.content)
    const had = accessBefore === null ? nothing : visibleContent(accessBefore, content).content
    const has =
      accessAfter === null
        ? nothing
        : visibleContent(accessAfter, renamedContent(had, renames)).content
    const left = listViewNames(has)
    const lost = (
      Object.entries(listViewNames(had)) as [keyof typeof left, readonly string[]][]
    ).flatMap(([key, names]) =>
      names
        .filter((name) => !left[key].includes(renames.get(name) ?? name))
        .map((name) => t(locale, `impact.${key}`, { name: labelOf(name) })),
    )
    if (lost.length === 0) return []
    const isPrivate = row.scope === 'mine' && row.owner_id !== subject.userId
    const what = lost.join(locale === 'en' ? ', ' : '、')
    return [
      {
        kind: 'view',
        object: isPrivate ? (row.owner ?? '') : row.name,
        breaks: left.viewFilter.length < listViewNames(had).viewFilter.length,
        msg: messageText(
          locale,
          isPrivate
            ? { key: 'impact.viewPrivate', params: { owner: row.owner ?? '', what } }
            : { key: 'impact.view', params: { name: row.name, what } },
        ),
      },
    ]
  })
}

/** Unrestricted access under each definition; null where its table cannot be loaded. */
async function fullAccess(
  db: AnyDatabase,
  tenant: string,
  definitions: readonly EntityDefinition[],
): Promise<(EntityAccess | null)[]> {
  const catalog = await readCatalog(db)
  return definitions.map((definition) => {
    const entity = loadEntity(
      definition,
      '',
      catalog.get(`${definition.schemaName}.${definition.tableName}`),
      () => undefined,
    )
    return typeof entity === 'string'
      ? null
      : { entity, tenant, grants: [{ overrides: {}, scope: null }], rows: always }
  })
}

function listViewNames({ queries, where, sorts, columns, group, footer, frozen }: ViewContent) {
  return {
    viewFilter: [...Object.keys(queries), ...whereColumns(where ?? undefined)],
    viewSort: sorts.map(({ column }) => column),
    viewColumn: [
      ...(columns ?? []),
      ...(group === null ? [] : [group.column]),
      ...footer.map(({ column }) => column),
      ...(frozen === null ? [] : [frozen]),
    ],
  }
}
