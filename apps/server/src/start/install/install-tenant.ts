import { adminRole } from '@jiaowu/api/limits'
import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { texts } from '@jiaowu/api/texts/index'
import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { dictionaries } from './dictionaries.ts'
import type { SchoolSetting } from '../../platform/settings/school-settings.ts'
import { installSettings, installSmsTemplates } from './install-settings.ts'
import { branches, leafName, listPath } from '../../access/shipped-menu.ts'

type Db = Kysely<Tables>
export interface TenantSeed {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly adminPasswordHash: string
  readonly mustChangePassword?: boolean
}

const initialSettings: Readonly<Partial<Record<SchoolSetting, string>>> = {
  SCHOOL_NAME: '示范大学',
  SCHOOL_NAME_EN: 'Demonstration University',
  SCHOOL_SITE: 'https://www.example.edu.cn',
  REGISTRAR_SITE: 'https://jwc.example.edu.cn',
  CONTACT_ADDRESS: '示范市学府路 1 号 教务处',
  CONTACT_ADDRESS_EN: 'Registrar Office, 1 Xuefu Road',
  FEE_NOTICE: texts['student.feeNotice'][0],
  FEE_NOTICE_EN: texts['student.feeNotice'][1],
}

/** Creates a tenant with its administrator, role, menu, dictionaries and parameters. */
export async function installTenant(
  db: Db,
  newId: () => string,
  { id, code, name, adminPasswordHash, mustChangePassword = false }: TenantSeed,
): Promise<void> {
  const keys = () => ({ id: newId(), tenant_id: id })
  await db.insertInto('sys.tenant').values({ id, tenant_id: id, code, name }).execute()
  const root = keys()
  await db
    .insertInto('sys.org')
    .values([
      { ...root, code: '00', name, pid: '0', sort: 0 },
      { ...keys(), code: '01', name: '教务处', pid: root.id, sort: 1 },
    ])
    .execute()
  const role = keys()
  await db
    .insertInto('sys.role')
    .values({ ...role, code: adminRole, name: '系统管理员', name_en: 'Administrator' })
    .execute()
  await db
    .insertInto('sys.app_user')
    .values({
      ...keys(),
      account: 'admin',
      name: '系统管理员',
      password_hash: adminPasswordHash,
      role_ids: [role.id],
      org_id: root.id,
      must_change_password: mustChangePassword,
    })
    .execute()
  await db.insertInto('sys.menu').values(menus(id, newId)).execute()
  await db
    .insertInto('sys.dict')
    .values(dictionaries.map((d) => ({ ...keys(), code: d.code, name: d.name })))
    .execute()
  await db
    .insertInto('sys.dict_item')
    .values(
      dictionaries.flatMap((d) =>
        d.items.map(([item_code, itemName, name_en, tone = null], i) => ({
          ...keys(),
          dict_code: d.code,
          item_code,
          name: itemName,
          name_en,
          tone,
          sort: i + 1,
        })),
      ),
    )
    .execute()
  await installSettings(db, newId, id, initialSettings)
  await installSmsTemplates(db, newId, id)
  await db
    .insertInto('sys.application')
    .values({ ...keys(), client_id: 'console', name: '教务管理控制台' })
    .execute()
}

function menus(tenant: string, newId: () => string) {
  return branches.flatMap(({ name, nameEn, icon, leaves, pages = [] }, order) => {
    const id = newId()
    const branch = {
      id,
      tenant_id: tenant,
      pid: '0',
      name,
      name_en: nameEn,
      path: '',
      icon,
      tag: null as string | null,
      sort: order + 1,
    }
    return [
      branch,
      ...leaves.map(([tag, leafIcon], i) => ({
        id: newId(),
        tenant_id: tenant,
        pid: id,
        name: leafName(tag).name,
        name_en: leafName(tag).nameEn,
        path: listPath(tag),
        icon: leafIcon,
        tag,
        sort: i + 1,
      })),
      ...pages.map((page, i) => ({
        id: newId(),
        tenant_id: tenant,
        pid: id,
        name: page.name,
        name_en: page.nameEn,
        path: page.path,
        icon: page.icon,
        tag: null as string | null,
        sort: leaves.length + i + 1,
      })),
    ]
  })
}

/** Updates the list of API calls for administrators; removes calls that the contract no longer has. */
export async function refreshApis(db: Db, newId: () => string, tenant: string): Promise<void> {
  const calls = Object.entries(contract).flatMap(([group, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      name: `${group}.${name}`,
      method: (endpoint as Endpoint).method,
      path: `/api${(endpoint as Endpoint).path}`,
      access: (endpoint as Endpoint).access,
    })),
  )
  const known = await db
    .selectFrom('sys.api')
    .select(['id', 'method', 'path'])
    .where('tenant_id', '=', tenant)
    .execute()
  const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
  const [wanted, have] = [new Set(calls.map(keyOf)), new Set(known.map(keyOf))]
  const fresh = calls.filter((call) => !have.has(keyOf(call)))
  const gone = known.filter((row) => !wanted.has(keyOf(row))).map((row) => row.id)
  if (fresh.length > 0)
    await db
      .insertInto('sys.api')
      .values(fresh.map((call) => ({ id: newId(), tenant_id: tenant, ...call })))
      .execute()
  if (gone.length > 0)
    await db.deleteFrom('sys.api').where('tenant_id', '=', tenant).where('id', 'in', gone).execute()
}
