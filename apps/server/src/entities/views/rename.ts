// Saved views and layouts of a list follow the fields that a save of its definition renames.
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import type { ViewContent } from '@jiaowu/api/entity/list/view'
import type { GroupQuery, Where, WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import type { Transaction } from 'kysely'
import type { Context } from '../../model/context.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { columnsIn, contentIn, widthsIn } from './content.ts'

/** New attrNames by the earlier ones. */
export type Renames = ReadonlyMap<string, string>
type Fields = Pick<EntityDefinition, 'fields'>

/**
 * Fields with another attrName than before. A field is the same by its id, or, as in definitions from
 * files, by a column that only one field shows before and after.
 */
export function findRenames(before: Fields, after: Fields): Renames {
  const [old, now] = [listValueFields(before), listValueFields(after)]
  return new Map(
    old.flatMap((field) => {
      const next =
        now.find(({ id, columnName }) => id === field.id && columnName === field.columnName) ??
        findOnlyField(now, findOnlyField(old, field.columnName)?.columnName)
      return next === undefined || next.attrName === field.attrName
        ? []
        : [[field.attrName, next.attrName] as const]
    }),
  )
}

function listValueFields({ fields }: Fields): FieldDefinition[] {
  return fields.filter(({ uiType }) => holdsValue(uiType))
}

/** The field of a column, unless it has several. */
function findOnlyField(
  fields: readonly FieldDefinition[],
  column: string | null | undefined,
): FieldDefinition | undefined {
  if (column === null || column === undefined) return undefined
  const found = fields.filter(({ columnName }) => columnName === column)
  return found.length === 1 ? found[0] : undefined
}

export function renamedContent(content: ViewContent, renames: Renames): ViewContent {
  const name = createRenamer(renames)
  const { queries, sorts, columns, where, group, footer, frozen } = content
  return {
    ...content,
    queries: Object.fromEntries(
      Object.entries(queries).map(([attrName, value]) => [name(attrName), value]),
    ),
    sorts: sorts.map((sort) => ({ ...sort, column: name(sort.column) })),
    columns: columns === null ? null : columns.map(name),
    where: where === null ? null : renamedWhere(where, name),
    group: group === null ? null : renamedGroup(group, name),
    footer: footer.map((figure) => ({ ...figure, column: name(figure.column) })),
    frozen: frozen === null ? null : name(frozen),
  }
}

const createRenamer = (renames: Renames) => (attrName: string) => renames.get(attrName) ?? attrName

function renamedGroup(
  { table, ...dimension }: GroupQuery,
  name: (attrName: string) => string,
): GroupQuery {
  const rename = <T extends { readonly column: string }>(part: T): T => ({
    ...part,
    column: name(part.column),
  })
  if (table === undefined) return rename(dimension)
  const { across, figures = [] } = table
  return {
    ...rename(dimension),
    table: {
      ...table,
      ...(across === undefined ? {} : { across: rename(across) }),
      figures: figures.map((figure) => ({
        ...rename(figure),
        ...(figure.where === undefined ? {} : { where: renamedWhere(figure.where, name) }),
      })),
    },
  }
}

function renamedWhere(where: Where, name: (attrName: string) => string): Where {
  const node = (each: WhereLeaf | Where): WhereLeaf | Where =>
    'column' in each ? { ...each, column: name(each.column) } : renamedWhere(each, name)
  return 'and' in where ? { and: where.and.map(node) } : { or: where.or.map(node) }
}

/**
 * Renames the fields in all views and layouts of the list in this school. A view that somebody is
 * editing gets a new version, so that the earlier names are not saved over the new ones.
 */
export async function followRenames(
  trx: Transaction<Tables>,
  { subject }: Context,
  tag: string,
  renames: Renames,
): Promise<void> {
  if (renames.size === 0) return
  const views = await trx
    .selectFrom('sys.list_view')
    .select(['id', 'name', 'content', 'version'])
    .where('tenant_id', '=', subject.tenant)
    .where('tag', '=', tag)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, name, content, version } of views) {
    const [before, after] = [contentIn(content), renamedContent(contentIn(content), renames)]
    if (JSON.stringify(before) === JSON.stringify(after)) continue
    exactlyOne(
      await trx
        .updateTable('sys.list_view')
        .set({ content: JSON.stringify(after), version: version + 1 })
        .where('id', '=', id)
        .where('tenant_id', '=', subject.tenant)
        .executeTakeFirst(),
      name,
    )
  }
  await followInLayouts(trx, subject.tenant, tag, renames)
}

async function followInLayouts(
  trx: Transaction<Tables>,
  tenant: string,
  tag: string,
  renames: Renames,
): Promise<void> {
  const name = createRenamer(renames)
  const layouts = await trx
    .selectFrom('sys.list_layout')
    .select(['user_id', 'columns', 'widths'])
    .where('tenant_id', '=', tenant)
    .where('tag', '=', tag)
    .orderBy('user_id')
    .forUpdate()
    .execute()
  for (const { user_id: user, columns, widths } of layouts) {
    const shown = columnsIn(columns)?.map(name) ?? null
    const sizes = Object.entries(widthsIn(widths)).map(([of, width]) => [name(of), width])
    exactlyOne(
      await trx
        .updateTable('sys.list_layout')
        .set({
          columns: shown === null ? null : JSON.stringify(shown),
          widths: widths === null ? null : JSON.stringify(Object.fromEntries(sizes)),
        })
        .where('tenant_id', '=', tenant)
        .where('user_id', '=', user)
        .where('tag', '=', tag)
        .executeTakeFirst(),
      user,
    )
  }
}
