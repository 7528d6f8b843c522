// Reads the saved views a user may use, and the view their list opens with.
import { compareNames } from '@jiaowu/api/compare-names'
import { may } from '@jiaowu/api/entity/permission'
import {
  opensPlain,
  opensShared,
  type SavedView,
  type SavedViews,
  sharePermission,
} from '@jiaowu/api/entity/list/view'
import { type Kysely, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { EntityAccess } from '../../access/access.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { withRelated } from '../read/filter/related.ts'
import { columnsFor, columnsIn, contentIn, visibleContent, widthsFor, widthsIn } from './content.ts'

export const mayShare = ({ subject }: Context): boolean => may(subject.permissions, sharePermission)
export type ViewRow = Awaited<ReturnType<typeof rowsFor>>[number]

export function isEditable(context: Context, { scope }: Pick<ViewRow, 'scope'>): boolean {
  return scope === 'mine' || mayShare(context)
}

/** A view by id, if the caller may use it. */
export async function findView(
  context: Context,
  tag: string,
  id: string,
  db: Kysely<Tables> = context.database.kysely,
): Promise<ViewRow | undefined> {
  return (await rowsFor(context, tag, db)).find((row) => row.id === id)
}

/**
 * The views the caller may use: their own, those of their roles and those for everyone. With the
 * permission to share, those of every role.
 */
async function rowsFor(context: Context, tag: string, db: Kysely<Tables>) {
  const { subject } = context
  return await db
    .selectFrom('sys.list_view as v')
    .leftJoin('sys.role as r', (join) =>
      join
        .onRef('r.tenant_id', '=', 'v.tenant_id')
        .onRef('r.id', '=', 'v.role_id')
        .on('r.deleted_at', 'is', null),
    )
    .selectAll('v')
    .select('r.name as role_name')
    .where('v.tenant_id', '=', subject.tenant)
    .where('v.tag', '=', tag)
    .where(({ or, and, eb }) =>
      or([
        eb('v.scope', '=', 'everyone'),
        and([eb('v.scope', '=', 'mine'), eb('v.owner_id', '=', subject.userId)]),
        and([
          eb('v.scope', '=', 'role'),
          eb('r.id', 'is not', null),
          ...(mayShare(context)
            ? []
            : [eb('v.role_id', 'in', subject.roleIds.length === 0 ? ['0'] : subject.roleIds)]),
        ]),
      ]),
    )
    .execute()
}

const scopeOrder: readonly ViewRow['scope'][] = ['mine', 'role', 'everyone']

/** The views and the layout of a list. */
export async function loadSavedViews(
  context: Context,
  access: EntityAccess,
  db: Kysely<Tables> = context.database.kysely,
): Promise<SavedViews> {
  const { subject } = context
  const { tag } = access.entity
  const rows = await rowsFor(context, tag, db)
  const wheres = rows.map(({ content }) => contentIn(content).where)
  const seen = await withRelated(context, access, ...wheres)
  const own = await db
    .selectFrom('sys.list_layout')
    .select(['columns', 'opens', 'widths'])
    .where('tenant_id', '=', subject.tenant)
    .where('user_id', '=', subject.userId)
    .where('tag', '=', tag)
    .executeTakeFirst()
  const opens = own?.opens ?? opensShared
  const shares = mayShare(context)
  return {
    views: rows.map((row) => savedView(context, seen, row, opens)).toSorted(compareViews),
    opens,
    opening: resolveOpening(context, rows, opens),
    layout: columnsFor(access, columnsIn(own?.columns ?? null)),
    widths: widthsFor(access, widthsIn(own?.widths)),
    mayShare: shares,
    roles: shares ? await loadViewRoles(context, db) : [],
  }
}

function savedView(context: Context, access: EntityAccess, row: ViewRow, opens: string): SavedView {
  const { content, lacks } = visibleContent(access, contentIn(row.content))
  return {
    ...content,
    id: row.id,
    name: row.name,
    scope: row.scope,
    roleId: row.role_id,
    roleName: row.role_name,
    isDefault: row.scope === 'mine' ? row.id === opens : row.is_default,
    version: row.version,
    editable: isEditable(context, row),
    lacks,
  }
}

function compareViews(a: SavedView, b: SavedView): number {
  return (
    scopeOrder.indexOf(a.scope) - scopeOrder.indexOf(b.scope) ||
    compareNames(a.roleName ?? '', b.roleName ?? '') ||
    compareNames(a.name, b.name)
  )
}

/**
 * The user's own choice, else the default of a role (the oldest with one), else that for everyone.
 */
function resolveOpening(
  { subject }: Context,
  rows: readonly ViewRow[],
  opens: string,
): string | null {
  if (opens === opensPlain) return null
  if (rows.some(({ id }) => id === opens)) return opens
  const ofRoles = rows
    .filter(
      (row) =>
        row.scope === 'role' && row.is_default && subject.roleIds.includes(row.role_id ?? ''),
    )
    .toSorted((a, b) => Number(BigInt(a.role_id ?? 0) - BigInt(b.role_id ?? 0)))
  return (
    ofRoles[0]?.id ?? rows.find((row) => row.scope === 'everyone' && row.is_default)?.id ?? null
  )
}

async function loadViewRoles({ subject }: Context, db: Kysely<Tables>) {
  return await db
    .selectFrom('sys.role')
    .select(['id', 'name'])
    .where('tenant_id', '=', subject.tenant)
    .where('deleted_at', 'is', null)
    .orderBy(sql`name`)
    .orderBy('id')
    .execute()
}
