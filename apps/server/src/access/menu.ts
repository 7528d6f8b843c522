import { adminRole, allPermission, defaultTenant } from '@jiaowu/api/limits'
import { entityPermission, may, mayRoute, platformPermission } from '@jiaowu/api/entity/permission'
import { functionPermissions } from '@jiaowu/api/entity/role'
import type { Locale } from '@jiaowu/api/locale'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../model/context.ts'
import { pagePermission } from './shipped-menu.ts'
import { studentRole } from './student-role.ts'

/** The caller's menu without forbidden entries and empty branches (docs/spec/1-entity-console.md §2). */
export async function menuFor(context: Context): Promise<MenuNode[]> {
  const {
    database: { kysely },
    subject,
    locale,
  } = context
  if (subject.kind === 'student') return [studentHome(locale)]
  const rows = await kysely
    .selectFrom('sys.menu')
    .selectAll()
    .where('tenant_id', '=', subject.tenant)
    .where('deleted_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const children = Map.groupBy(rows, (row) => row.pid)
  const build = (pid: string, depth: number): MenuNode[] =>
    depth > 8
      ? []
      : (children.get(pid) ?? []).flatMap((row): MenuNode[] => {
          if (
            !mayTag(context, row.tag) ||
            !mayPage(context, row.path) ||
            !mayRoute(subject.roles, row.role_codes)
          )
            return []
          const inner = build(row.id, depth + 1)
          const isBranch = children.has(row.id)
          if (isBranch && inner.length === 0) return []
          const name = locale === 'en' ? (row.name_en ?? row.name) : row.name
          const meta = {
            title: name,
            roles: row.role_codes,
            ...(row.open_type === null ? {} : { openType: row.open_type }),
          }
          return [
            {
              id: row.id,
              name,
              path: row.path,
              icon: row.icon,
              tag: row.tag,
              hidden: row.hidden === '1',
              meta,
              children: inner,
            },
          ]
        })
  return build('0', 0)
}

/** Students have one screen (docs/spec/2-student-service-and-designer.md §2). */
function studentHome(locale: Locale): MenuNode {
  const name = t(locale, 'student.home')
  return {
    id: 'student',
    name,
    path: '/',
    icon: 'download',
    tag: null,
    hidden: false,
    meta: { title: name, roles: [studentRole] },
    children: [],
  }
}

/** The audit log needs an additional permission. */
function mayTag({ subject: { permissions } }: Context, tag: string | null) {
  return (
    tag === null ||
    (may(permissions, entityPermission(tag, 'view')) &&
      (tag !== 'SYS_LOG' || may(permissions, 'audit:view')))
  )
}

/** Only the first tenant manages tenants. */
function mayPage({ subject: { permissions, tenant } }: Context, path: string) {
  const wanted = pagePermission(path)
  return (
    wanted === null ||
    (may(permissions, wanted) && (wanted !== platformPermission || tenant === defaultTenant))
  )
}

/**
 * Permissions of the code generator. The specification adds them in the client; here the server grants
 * them to staff who may design entities (docs/rules/contract.md#sessions).
 */
const generatorCodes = ['table:add', 'table:update', 'table:view', 'table:delete']

export async function resourcesFor({ subject, registry }: Context): Promise<{ code: string }[]> {
  const codes = new Set(subject.permissions)
  if (subject.roles.includes(adminRole)) {
    for (const code of [allPermission, ...functionPermissions]) codes.add(code)
    for (const { tag } of await registry.all(subject.tenant))
      for (const action of ['view', 'add', 'update', 'delete', 'export'] as const)
        codes.add(entityPermission(tag, action))
  }
  if (subject.kind === 'staff' && may(codes, 'entity:design'))
    for (const code of generatorCodes) codes.add(code)
  return [...codes].map((code) => ({ code }))
}
