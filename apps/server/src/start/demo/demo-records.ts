import { type Kysely, sql } from 'kysely'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import { big, sameBig, bulkInsert, defineTextColumn } from './bulk.ts'

type Db = Kysely<Tables>
const teaching = [
  'EDU_STUDENT',
  'EDU_TEACHER',
  'EDU_COURSE',
  'EDU_GRADE',
  'EDU_CLASS',
  'EDU_MAJOR',
  'EDU_FACULTY',
] as const
const [gradeChange, statusChange, deferral] = [
  'EDU_GRADE_CHANGE',
  'EDU_STATUS_CHANGE',
  'EDU_DEFERRAL',
] as const
const requestRights = ['view', 'add', 'update', 'delete'] as const
const everything = ['view', 'add', 'update', 'delete', 'export'] as const

/** Users of the demo (docs/rules/contract.md#demo-data); their passwords equal the administrator's. */
const demoUsers = [
  {
    account: 'registrar',
    name: '教务管理员',
    role: 'ROLE_REGISTRAR',
    roleName: '教务管理员',
    nameEn: 'Registrar',
    codes: [
      ...on([...teaching, 'RPT_REPORT'], everything),
      ...on([gradeChange, statusChange, deferral], ['view', 'export']),
      ...on(['RPT_ORDER', 'RPT_DOCUMENT', 'RPT_REGISTRATION', 'SYS_NOTICE'], ['view', 'export']),
      'print:preview',
      'print:download',
      'print:revoke',
      'pay:refund',
    ],
  },
  {
    account: 'clerk',
    name: '教学秘书',
    role: 'ROLE_CLERK',
    roleName: '教学秘书',
    nameEn: 'Clerk',
    codes: on(['EDU_STUDENT'], ['view', 'add', 'update']),
  },
  {
    account: 'viewer',
    name: '查询用户',
    role: 'ROLE_VIEWER',
    roleName: '查询用户',
    nameEn: 'Viewer',
    codes: on([...teaching, 'RPT_REPORT'], ['view']),
  },
  {
    account: 'teacher',
    name: '任课教师',
    role: 'ROLE_TEACHER',
    roleName: '任课教师',
    nameEn: 'Teacher',
    codes: [
      ...on(['EDU_GRADE'], ['view', 'add', 'update', 'export']),
      ...on(['EDU_COURSE'], ['view']),
      ...on([gradeChange], requestRights),
    ],
  },
  {
    account: 'secretary',
    name: '学院秘书',
    role: 'ROLE_SECRETARY',
    roleName: '学院秘书',
    nameEn: 'Faculty secretary',
    codes: [
      ...on([...teaching, gradeChange], ['view']),
      ...on([statusChange, deferral], requestRights),
    ],
  },
  {
    account: 'dean',
    name: '学院院长',
    role: 'ROLE_DEAN',
    roleName: '学院院长',
    nameEn: 'Dean',
    codes: on([...teaching, statusChange], ['view']),
  },
  ...(
    [
      ['library', '图书馆', 'Library'],
      ['finance', '财务处', 'Finance office'],
      ['dormitory', '宿管中心', 'Dormitory office'],
    ] as const
  ).map(([account, name, nameEn]) => ({
    account,
    name,
    role: `ROLE_${account.toUpperCase()}`,
    roleName: name,
    nameEn,
    codes: on([statusChange], ['view']),
  })),
] as const

/**
 * Row rules of the role of `teacher`: own courses, their grades, and own requests
 * (docs/rules/security.md#rules-across-relations).
 */
const teacherRules = [
  ['biz.grade', 'row["course_id>biz.course(id)"]["teacher_id>biz.teacher(id)"] == user.person'],
  ['biz.course', 'row["teacher_id>biz.teacher(id)"] == user.person'],
  ['biz.grade_change', null],
] as const

/** Links the account `teacher` to a teacher, whose name it takes, and lets its role see what is theirs. */
export async function linkTeacher(db: Db, tenant: string, teacherId: number): Promise<void> {
  const role = await db
    .selectFrom('sys.role')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('code', '=', 'ROLE_TEACHER')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('sys.role_table_rule')
    .values(
      teacherRules.map(([table_name, scope_expression]) => ({
        tenant_id: tenant,
        role_id: role.id,
        table_name,
        row_scope: scope_expression === null ? ('own' as const) : ('expression' as const),
        scope_expression,
      })),
    )
    .execute()
  exactlyOne(
    await sql`
      update sys.app_user u set name = t.name, person_tag = 'EDU_TEACHER', person_id = t.id::text
      from biz.teacher t
      where u.tenant_id = ${tenant}::int8 and u.account = 'teacher'
        and t.tenant_id = u.tenant_id and t.id = ${teacherId}::int8`.execute(db),
    'teacher',
  )
}

/** Places the accounts `secretary` and `dean` in a faculty, on whose grades and students they decide. */
export async function placeInFaculty(
  db: Db,
  tenant: string,
  orgId: string | undefined,
): Promise<void> {
  for (const account of ['secretary', 'dean'])
    exactlyOne(
      await db
        .updateTable('sys.app_user')
        .set({ org_id: orgId ?? null })
        .where('tenant_id', '=', tenant)
        .where('account', '=', account)
        .executeTakeFirst(),
      account,
    )
}

export async function installUsers(db: Db, newId: () => string, tenant: string): Promise<void> {
  const admin = await db
    .selectFrom('sys.app_user')
    .select(['password_hash', 'org_id'])
    .where('tenant_id', '=', tenant)
    .where('account', '=', 'admin')
    .executeTakeFirstOrThrow()
  for (const { account, name, role, roleName, nameEn, codes } of demoUsers) {
    const roleId = newId()
    await db
      .insertInto('sys.role')
      .values({ id: roleId, tenant_id: tenant, code: role, name: roleName, name_en: nameEn })
      .execute()
    await db
      .insertInto('sys.role_permission')
      .values(codes.map((code) => ({ tenant_id: tenant, role_id: roleId, code })))
      .execute()
    await db
      .insertInto('sys.app_user')
      .values({
        id: newId(),
        tenant_id: tenant,
        account,
        name,
        password_hash: admin.password_hash,
        role_ids: [roleId],
        org_id: admin.org_id,
      })
      .execute()
  }
}

const noticeTitles = [
  '关于 2025-2026 学年第二学期选课安排的通知',
  '关于期末考试时间安排的通知',
  '关于学籍注册工作的通知',
  '关于电子成绩单自助下载服务上线的公告',
  '关于补考报名的通知',
  '关于转专业申请的通知',
  '关于毕业资格审核的通知',
  '关于大学英语四六级考试报名的通知',
  '关于教学检查工作的安排',
  '关于国庆节放假调课的通知',
  '关于双学位报名的通知（草稿）',
  '关于教材征订的通知（草稿）',
] as const

export async function installNotices(db: Db, newId: () => string, tenant: string): Promise<void> {
  const admin = await db
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('account', '=', 'admin')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('sys.notice')
    .values(
      noticeTitles.map((title, i) => ({
        id: newId(),
        tenant_id: tenant,
        create_user: admin.id,
        notice_title: title,
        notice_status: i < 10 ? '0' : '1',
        issue_time: new Date(Date.UTC(2026, 2, 1 + i * 5, 1)),
        notice_content: noticeContent(title),
      })),
    )
    .execute()
}

function noticeContent(title: string): string {
  const subject = title.replace(/^关于|的(通知|公告).*$/g, '')
  return [
    `<p>各院系、全体同学：</p><p>${subject}事项已经确定，请按时办理。</p>`,
    '<ul><li>办理时间：工作日 8:30 至 17:00</li><li>办理地点：教务处一楼大厅</li></ul>',
    '<p><strong>教务处</strong></p>',
  ].join('')
}

const kinds = [
  ['transcript', '成绩单', 'Transcript', 'transcript'],
  ['enrolled', '在读证明', 'Proof of Enrolment', 'proof'],
  ['conversion', '成绩转换证明', 'Transcript Conversion Proof', 'proof'],
  ['other', '学业证明', 'Academic Proof', 'proof'],
] as const

/**
 * One report of every type and language. The first download costs 5 yuan in Chinese and 30 in English
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export async function installReports(db: Db, tenant: string, base: number): Promise<void> {
  const rows = kinds.flatMap(([kind, zh, en, type], i) =>
    (['zh', 'en'] as const).map((language, k) => ({
      id: base + 2001 + i * 2 + k,
      code: `${kind.toUpperCase()}_${language.toUpperCase()}`,
      name: language === 'zh' ? `中文${zh}` : `${en} (English)`,
      language,
      type,
      kind,
      price: language === 'zh' ? 500 : 3000,
      sort: i * 2 + k + 1,
    })),
  )
  await bulkInsert(db, 'biz.report', rows, {
    id: big((r) => r.id),
    tenant_id: sameBig(tenant),
    report_code: defineTextColumn((r) => r.code),
    report_name: defineTextColumn((r) => r.name),
    report_language: defineTextColumn((r) => r.language),
    report_type: defineTextColumn((r) => r.type),
    kind: defineTextColumn((r) => r.kind),
    price_fen: { type: 'integer', of: (r) => r.price },
    sort: { type: 'integer', of: (r) => r.sort },
  })
}

const provinceLines =
  '110000北京市 120000天津市 130000河北省 140000山西省 150000内蒙古自治区 210000辽宁省 220000吉林省 230000黑龙江省 310000上海市 320000江苏省 330000浙江省 340000安徽省 350000福建省 360000江西省 370000山东省 410000河南省 420000湖北省 430000湖南省 440000广东省 450000广西壮族自治区 460000海南省 500000重庆市 510000四川省 520000贵州省 530000云南省 540000西藏自治区 610000陕西省 620000甘肃省 630000青海省 640000宁夏回族自治区 650000新疆维吾尔自治区 710000台湾省 810000香港特别行政区 820000澳门特别行政区'
const cityLines =
  '110105朝阳区 110108海淀区 120103河西区 130100石家庄市 210100沈阳市 210200大连市 310104徐汇区 310115浦东新区 320100南京市 320500苏州市 330100杭州市 330200宁波市 340100合肥市 350100福州市 350200厦门市 370100济南市 370200青岛市 410100郑州市 420100武汉市 430100长沙市 440100广州市 440300深圳市 500103渝中区 510100成都市 610100西安市'

/** Provinces, and the home cities of demo students (GB/T 2260). */
export async function installAreas(db: Db, newId: () => string, tenant: string): Promise<void> {
  const read = (line: string) =>
    line.split(' ').map((entry) => ({ code: entry.slice(0, 6), name: entry.slice(6) }))
  const provinces = read(provinceLines).map((area, i) => ({
    id: newId(),
    tenant_id: tenant,
    ...area,
    pid: '0',
    sort: i + 1,
  }))
  const parent = new Map(provinces.map(({ code, id }) => [code.slice(0, 2), id]))
  await db
    .insertInto('sys.area')
    .values([
      ...provinces,
      ...read(cityLines).map((area, i) => ({
        id: newId(),
        tenant_id: tenant,
        ...area,
        pid: parent.get(area.code.slice(0, 2)) ?? '0',
        sort: i + 1,
      })),
    ])
    .execute()
}

/** Inserts an organisation per faculty below the tenant's root; returns their ids by faculty code. */
export async function installOrgs(
  db: Db,
  newId: () => string,
  tenant: string,
  faculties: readonly { code: string; name: string }[],
): Promise<Map<string, string>> {
  const root = await db
    .selectFrom('sys.org')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('code', '=', '00')
    .executeTakeFirstOrThrow()
  const rows = faculties.map(({ code, name }, i) => ({
    id: newId(),
    tenant_id: tenant,
    pid: root.id,
    code: `F${code}`,
    name,
    sort: i + 2,
  }))
  await db.insertInto('sys.org').values(rows).execute()
  return new Map(faculties.map(({ code }, i) => [code, rows[i]?.id ?? '']))
}

function on(tags: readonly string[], actions: readonly string[]) {
  return tags.flatMap((tag) => actions.map((action) => `entity:${tag}:${action}`))
}
