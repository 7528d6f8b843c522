import { defaultTenant } from '@jiaowu/api/limits'
import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables/tables.ts'
import {
  installAreas,
  installNotices,
  installOrgs,
  installUsers,
  installReports,
  linkTeacher,
  placeInFaculty,
} from './demo-records.ts'
import {
  buildCourses,
  fillSchool,
  schoolTables,
  type SchoolPlace,
  type SchoolSize,
} from './fill-school.ts'
import type { Installation } from '../install/install-base.ts'
import { installTenant, refreshApis } from '../install/install-tenant.ts'
import { idNumbers } from '../../model/sealed/sealed-columns.ts'
import { faculties } from './school.ts'
import { withoutKeys } from './without-keys.ts'
import { transact } from '../../platform/database/transact.ts'

/** docs/rules/contract.md#demo-data. */
export const demoSize: SchoolSize = {
  students: 2000,
  courses: 300,
  teachers: 120,
  grades: 40_000,
  accounts: 13,
}
const secondSize: SchoolSize = {
  students: 100,
  courses: 60,
  teachers: 120,
  grades: 1000,
  accounts: 0,
}
const secondTenant = '10001'
const secondBase = 1_000_000_000

/** Inserts the demo data in one transaction (docs/rules/contract.md#demo-data). False when it exists already. */
export async function installDemo(
  installation: Installation,
  {
    size = demoSize,
    onStep = () => {},
  }: { size?: SchoolSize; onStep?: (text: string) => void } = {},
): Promise<boolean> {
  const {
    database: { kysely, engine },
    newId,
  } = installation
  if (await isFilled(kysely)) return false
  onStep(`Filling in demo data: ${size.students} students, ${size.grades} grades …`)
  await transact(kysely, async (trx) => {
    await installUsers(trx, newId, defaultTenant)
    await installAreas(trx, newId, defaultTenant)
    await installNotices(trx, newId, defaultTenant)
    await installReports(trx, defaultTenant, 0)
    const place = await findSchoolPlace(trx, installation, defaultTenant, 0)
    await placeInFaculty(trx, defaultTenant, place.orgOf.get('01'))
    const fillSchools = async () => {
      await fillSchool(trx, place, size)
      await installSecond(trx, installation)
    }
    // PostgreSQL checks keys quickly, and other sessions may use it.
    if (engine === 'pglite') await withoutKeys(trx, schoolTables, fillSchools)
    else await fillSchools()
    const [first] = buildCourses(0, 1)
    if (first !== undefined) await linkTeacher(trx, defaultTenant, first.teacher)
  })
  return true
}

async function isFilled(db: Kysely<Tables>): Promise<boolean> {
  return (
    (await db
      .selectFrom('sys.role')
      .select('id')
      .where('tenant_id', '=', defaultTenant)
      .where('code', '=', 'ROLE_REGISTRAR')
      .executeTakeFirst()) !== undefined
  )
}

async function findSchoolPlace(
  db: Kysely<Tables>,
  { newId, keys }: Installation,
  tenant: string,
  base: number,
): Promise<SchoolPlace> {
  const admin = await db
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('account', '=', 'admin')
    .executeTakeFirstOrThrow()
  return {
    tenant,
    base,
    createUser: admin.id,
    idNumbers: idNumbers(keys),
    orgOf: await installOrgs(db, newId, tenant, faculties(base)),
  }
}

async function installSecond(db: Kysely<Tables>, installation: Installation): Promise<void> {
  const { newId } = installation
  const admin = await db
    .selectFrom('sys.app_user')
    .select('password_hash')
    .where('tenant_id', '=', defaultTenant)
    .where('account', '=', 'admin')
    .executeTakeFirstOrThrow()
  await installTenant(db, newId, {
    id: secondTenant,
    code: secondTenant,
    name: '第二示范学院',
    adminPasswordHash: admin.password_hash,
  })
  await refreshApis(db, newId, secondTenant)
  await fillSchool(
    db,
    await findSchoolPlace(db, installation, secondTenant, secondBase),
    secondSize,
  )
}
