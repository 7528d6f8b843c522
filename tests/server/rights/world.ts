// The server, the subjects and the rows that the table of rights speaks of.
import type { contract } from '@jiaowu/api/contract/contract'
import type { Row } from '@jiaowu/api/entity/values'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sessionsFor } from '../../support/payments/payers.ts'
import { createSharedTables } from './shared-tables.ts'
import { newAccount, newStaff } from '../../support/staff.ts'
import {
  placeInOrganisation,
  newDiscrepancy,
  newDocument,
  newItem,
  newRefund,
  newRegistration,
  picture,
  createThings,
} from './things.ts'

import { type Subject, subjects, type World } from './world-types.ts'

type Group = keyof typeof contract
/** `entityData.page`: every call of the contract. */
export type RouteName = {
  [G in Group]: `${G}.${Extract<keyof (typeof contract)[G], string>}`
}[Group]

const actions = ['view', 'add', 'update', 'delete', 'export'] as const
const listEntityRights = (tag: string) => actions.map((action) => `entity:${tag}:${action}`)
/** Codes of each subject's role; `*` for an administrator, null for those without a role. */
export const codesOf: Readonly<Record<Subject, readonly string[] | null>> = {
  nobody: null,
  student: null,
  none: [],
  other: listEntityRights('EDU_COURSE'),
  foreign: ['*'],
  rows: [
    ...listEntityRights('EDU_STUDENT'),
    ...listEntityRights('SYS_ORG'),
    'entity:EDU_GRADE:view',
    'entity:EDU_TEACHER:view',
    'entity:EDU_CLASS:view',
    'entity:PUPIL_VIEW:view',
    'entity:SYS_ROLE:view',
    'pii:reveal',
    'print:preview',
    'print:download',
  ],
  fields: [
    ...listEntityRights('EDU_STUDENT'),
    ...listEntityRights('SYS_ORG'),
    'entity:EDU_GRADE:view',
    'entity:PUPIL_VIEW:view',
    'entity:SYS_ROLE:view',
    'pii:reveal',
  ],
  designer: ['entity:design', 'entity:EDU_CLASS:view'],
  reader: [
    'entity:EDU_STUDENT:view',
    'entity:SYS_ORG:view',
    'entity:PUPIL_VIEW:view',
    'entity:SYS_ROLE:view',
  ],
  renewing: listEntityRights('EDU_STUDENT'),
  full: ['*'],
  token: [...listEntityRights('EDU_STUDENT'), ...listEntityRights('SYS_ORG')],
}
/**
 * `rows` reaches students of this gender, organisations that they made themselves, teachers of their
 * organisation, and classes of it and of those below it.
 */
export const ownGender = '1'
const otherGender = '2'
const hiddenField = {
  isList: 0,
  isQuery: 0,
  isDetail: 0,
  isExport: 0,
  isAdd: 0,
  isEdit: 0,
} as const
const rulesOf: Readonly<Partial<Record<Subject, readonly object[]>>> = {
  rows: [
    {
      tag: 'EDU_STUDENT',
      scope: 'expression',
      expression: `row.gender == '${ownGender}'`,
      overrides: {},
    },
    { tag: 'SYS_ORG', scope: 'own', expression: null, overrides: {} },
    { tag: 'EDU_TEACHER', scope: 'org', expression: null, overrides: {} },
    { tag: 'EDU_CLASS', scope: 'org_tree', expression: null, overrides: {} },
  ],
  fields: [
    {
      tag: 'EDU_STUDENT',
      scope: 'all',
      expression: null,
      overrides: { idCard: hiddenField, nameEn: hiddenField, birthDate: hiddenField },
    },
  ],
}
/** A value of the hidden field that no other row has. */
export const buildSecretNumber = (n: number): string =>
  `110105${1930 + (Math.floor(n / 10_000) % 60)}0101${String(n % 10_000).padStart(4, '0')}`

export async function openWorld(): Promise<World> {
  const app = await testApp({ CAPTCHA_DRIVER: 'fixed', CAPTCHA_FIXED: 'AAAA' })
  const { services } = app
  const [admin, foreign] = [await app.signIn('admin'), await app.signIn('admin', '10001')]
  const [payer, other] = await sessionsFor(services, 2)
  const [sample] = (
    await admin.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { queries: {}, pageSize: 1, sorts: [{ column: 'studentNo', asc: false }] },
    })
  ).records
  const { faculty, major, studentNo } = sample ?? ({} as Partial<Row>)
  // Roles can be given rights on entities that there are.
  const sheet = await createSharedTables(app, admin)
  const staff = new Map<Subject, { id: string; token: string }>()
  for (const subject of subjects) {
    const codes = codesOf[subject]
    if (codes !== null && subject !== 'token' && !codes.includes('*'))
      staff.set(subject, await createStaffSubject(app, admin, subject, codes))
  }
  const program = await admin.apiToken.create({
    body: {
      name: 'rights',
      entities: ['EDU_STUDENT', 'SYS_ORG'],
      rights: ['read', 'write', 'delete', 'export'],
      days: 1,
      perSecond: 1000,
    },
  })
  const tokens = record((subject) =>
    subject === 'nobody'
      ? null
      : subject === 'student'
        ? (payer?.token ?? '')
        : subject === 'token'
          ? program.token
          : subject === 'full'
            ? admin.token
            : subject === 'foreign'
              ? foreign.token
              : (staff.get(subject)?.token ?? ''),
  )
  await placeInOrganisation(app, admin, staff.get('rows')?.id ?? '')
  const made = await createThings(app, admin, {
    student: app.client(other?.token ?? ''),
    studentNo: String(studentNo),
    body: { name: '乙', gender: ownGender, faculty, major },
  })
  const things = { ...made, sheet }
  return {
    app,
    admin,
    tokens,
    userIds: record((subject) => staff.get(subject)?.id ?? payer?.id ?? ''),
    things,
    ...createFactories(app, admin, things),
  }
}

type Factory =
  | 'student'
  | 'registration'
  | 'deletedStudent'
  | 'file'
  | 'account'
  | 'session'
  | 'item'
  | 'refund'
  | 'discrepancy'
  | 'document'
  | 'organisation'

/** Creates the targets of calls, made anew for each of them. */
function createFactories(
  app: TestApp,
  admin: World['admin'],
  things: World['things'],
): Pick<World, Factory> {
  let made = 0
  const student: World['student'] = async (reach, name) => {
    made += 1
    const { id } = await admin.entityData.create({
      params: { tag: 'EDU_STUDENT' },
      body: {
        studentNo: `M${made}`,
        name: name ?? `甲${made}`,
        gender: reach === 'own' ? ownGender : otherGender,
        idCard: buildSecretNumber(made),
        faculty: things.body['faculty'],
        major: things.body['major'],
      },
    })
    return id
  }
  return {
    student,
    registration: async (reach) => newRegistration(app, await student(reach)),
    file: async (reach) => {
      const row = await student(reach)
      const { id } = await admin.attachment.upload({
        body: { file: picture(), bizType: 'EDU_STUDENT', bizId: row },
      })
      return { id, row }
    },
    account: async () => {
      made += 1
      return (await newAccount(app, `spare-${made}`, [])).id
    },
    session: async () => {
      made += 1
      const { token } = await newAccount(app, `spare-${made}`, [])
      return (await app.client(token).ownSessions.list({}))[0]?.id ?? ''
    },
    item: () => {
      made += 1
      return newItem(admin, made)
    },
    refund: () => {
      made += 1
      return newRefund(app, things.orderNo, made)
    },
    discrepancy: (state) => newDiscrepancy(app, state === 'settled'),
    document: () => newDocument(app, admin, things),
    deletedStudent: async (reach) => {
      const id = await student(reach)
      await admin.entityData.remove({ params: { tag: 'EDU_STUDENT', ids: id } })
      return id
    },
    organisation: async () => {
      made += 1
      const body = { code: `m${made}`, name: `机构${made}` }
      return (await admin.entityData.create({ params: { tag: 'SYS_ORG' }, body })).id
    },
  }
}

async function createStaffSubject(
  app: TestApp,
  admin: World['admin'],
  subject: Subject,
  codes: readonly string[],
): Promise<{ id: string; token: string }> {
  const made = await newStaff(app, admin, `matrix-${subject}`, {
    codes,
    rules: rulesOf[subject] ?? [],
  })
  if (subject === 'renewing')
    await app.services.database.kysely
      .updateTable('sys.app_user')
      .set({ must_change_password: true })
      .where('tenant_id', '=', '10000')
      .where('id', '=', made.id)
      .execute()
  return made
}

const record = <T>(make: (subject: Subject) => T): Readonly<Record<Subject, T>> =>
  Object.fromEntries(subjects.map((subject) => [subject, make(subject)])) as Record<Subject, T>
