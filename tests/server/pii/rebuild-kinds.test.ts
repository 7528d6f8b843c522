// Tries to rebuild personal data of every kind from all that somebody reads of a student who may view and preview
// but not see it whole: lists, details, exports, history, labels, previews of prints, the pages of the student's own
// service and the public page of a document. What the masks keep is laid over each other
// (docs/personal-data.md#what-stays-open).
import type { PiiKind } from '@jiaowu/api/entity/enums'
import { maskPii } from '@jiaowu/api/pii'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPages } from '../../support/documents/pdf.ts'
import { sessionsFor } from '../../support/payments/payers.ts'
import { newStaff } from '../../support/staff.ts'
import { listFittingIdNumbers } from './id-numbers.ts'
import { sendJson } from './send-json.ts'

const tag = 'EDU_STUDENT'
type Kind = 'idCard' | 'passport' | 'mobile' | 'email' | 'address' | 'bank'
const kinds: readonly Kind[] = ['idCard', 'passport', 'mobile', 'email', 'address', 'bank']
const attrNames: Readonly<Record<Kind, string>> = {
  idCard: 'idCard',
  passport: 'idCard',
  mobile: 'mobile',
  email: 'email',
  address: 'homeAddress',
  bank: 'bankCard',
}
const toPiiKind = (kind: Kind): PiiKind => (kind === 'passport' ? 'idCard' : kind)
/** Two people: one with an ID number, one with a passport. */
const values: Readonly<Record<Kind, string>> = {
  idCard: '110105200312310024',
  passport: 'E20481753',
  mobile: '13912345678',
  email: 'zhang.xiaoming@example.edu.cn',
  address: '北京市海淀区中关村大街27号院3号楼',
  bank: '6222021704816930349',
}
const belongsTo = (kind: Kind, person: 'citizen' | 'foreigner') =>
  kind === 'idCard' ? person === 'citizen' : kind !== 'passport' || person === 'foreigner'

/** Signs that stay unknown, and how many values fit (docs/personal-data.md#what-stays-open). */
const open: Readonly<Record<Kind, { readonly signs: number; readonly values: number }>> = {
  idCard: { signs: 16, values: 46 },
  passport: { signs: 7, values: 10 ** 7 },
  mobile: { signs: 4, values: 10 ** 4 },
  email: { signs: 13, values: 36 ** 13 },
  address: { signs: 12, values: 10 ** 6 },
  bank: { signs: 15, values: 10 ** 8 },
}

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let reader: { readonly token: string; readonly client: ReturnType<TestApp['client']> }
interface Person {
  readonly id: string
  readonly studentNo: string
  /** A session in the student's own service. */
  readonly token: string
}
let people: Readonly<Record<'citizen' | 'foreigner', Person>>
/** By where they were read. */
const texts = new Map<string, string>()

beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: 'https://jw.example.edu.cn' })
  admin = await app.signIn('admin')
  await markMore()
  const [first, second] = await sessionsFor(app.services, 2)
  people = {
    citizen: await createPerson(first ?? { id: '', token: '' }, 'citizen'),
    foreigner: await createPerson(second ?? { id: '', token: '' }, 'foreigner'),
  }
  const { token } = await newStaff(app, admin, 'rebuild', {
    codes: [`entity:${tag}:view`, `entity:${tag}:export`, 'entity:EDU_GRADE:view', 'print:preview'],
  })
  reader = { token, client: app.client(token) }
  for (const person of ['citizen', 'foreigner'] as const)
    for (const [where, text] of Object.entries(await readAll(people[person])))
      texts.set(`${person} ${where}`, text)
}, 180_000)
afterAll(() => app.close())

/** The school keeps bank cards and addresses too, and takes e-mails for personal data. */
async function markMore(): Promise<void> {
  const saved = await admin.design.load({ params: { tag } })
  const shown = { isList: 1, isDetail: 1, isExport: 1, isAdd: 1, isEdit: 1 } as const
  const more = (['bank', 'address'] as const).map((kind, at) => ({
    id: `-${at + 1}`,
    attrName: attrNames[kind],
    uiLabel: kind,
    columnName: null,
    tableName: null,
    uiType: 'input' as const,
    pii: kind,
    ...shown,
  }))
  await admin.design.save({
    params: { tag },
    body: {
      ...saved,
      fields: [
        ...saved.fields.map((field) =>
          field.attrName === 'email'
            ? { ...field, pii: 'email' as const }
            : // Foreign students have passports there.
              field.attrName === 'idCard'
              ? { ...field, valids: {} }
              : field,
        ),
        ...more,
      ],
    } as never,
  })
}

/** A student with these values, who had others before, so that the history holds both. */
async function createPerson(
  { id, token }: { readonly id: string; readonly token: string },
  person: 'citizen' | 'foreigner',
): Promise<Person> {
  const its = kinds.filter((kind) => belongsTo(kind, person))
  const save = async (valueOf: (kind: Kind) => string) => {
    const { version } = await admin.entityData.get({ params: { tag, id } })
    return await admin.entityData.update({
      params: { tag, id },
      body: {
        version,
        ...Object.fromEntries(its.map((kind) => [attrNames[kind], valueOf(kind)])),
      },
    })
  }
  await save((kind) => (kind === 'idCard' ? '110105200312310016' : values[kind].replace('2', '3')))
  const row = await save((kind) => values[kind])
  return { id, token, studentNo: String(row['studentNo']) }
}

async function readAll(person: Person): Promise<Readonly<Record<string, string>>> {
  const { id, studentNo } = person
  const queries = { studentNo }
  const label = { fieldId: 'student', type: '1', searchKey: studentNo }
  return {
    list: await readText(reader.token, `/entity/${tag}/data/page`, { queries }),
    detail: await readText(reader.token, `/entity/${tag}/data/${id}`),
    history: await readText(reader.token, `/entity/${tag}/data/${id}/history`),
    csv: await readText(reader.token, `/entity/${tag}/data/export`, {
      queries,
      format: 'csv',
      fileName: 'x',
    }),
    grades: await readText(reader.token, '/entity/EDU_GRADE/data/page', {
      queries: { student: [{ id }] },
    }),
    label: await readText(reader.token, '/entity/EDU_GRADE/data/dicts/page', label),
    prints: await readPrints(person),
    pages: await readOwnPages(person),
    document: await readDocument(person),
  }
}

async function readText(token: string, path: string, body?: unknown): Promise<string> {
  app.advance(1000)
  return await (await sendJson(app, token, path, body)).text()
}

/** Reads what staff see before they print, and previews of all documents in both languages. */
async function readPrints({ studentNo }: Person): Promise<string> {
  const who = { stuNo: studentNo }
  const found = [JSON.stringify(await reader.client.print.studentDetail({ body: who }))]
  for (const { id } of await reader.client.print.reports({ query: who })) {
    app.advance(1000)
    found.push(await toText(reader.client.print.preview({ body: { ...who, reportId: id } })))
  }
  expect(found.length).toBeGreaterThan(4)
  return found.join('\n')
}

/** The pages of the student's own service, without the final document. */
async function readOwnPages({ token }: Person): Promise<string> {
  const { student, session } = app.client(token)
  const found = [
    JSON.stringify(await student.detail({})),
    JSON.stringify(await session.whoami({})),
    JSON.stringify(await session.menu({})),
  ]
  for (const { id } of await student.reports({ query: {} })) {
    app.advance(1000)
    found.push(await toText(student.preview({ body: { reportId: id } })))
  }
  return found.join('\n')
}

/** The text of a PDF; of a document that cannot be drawn for this student, the refusal. */
async function toText(preview: Promise<string>): Promise<string> {
  return await preview.then(
    async (pdf) => (await readPages(Buffer.from(pdf, 'base64'))).join('\n'),
    (refusal: unknown) => String(refusal),
  )
}

/** The public page of a document that the school issued. */
async function readDocument({ studentNo, id }: Person): Promise<string> {
  const [report] = await admin.print.reports({ query: { stuNo: studentNo } })
  await admin.print.adminDownload({ body: { stuNo: studentNo, reportId: report?.id ?? '' } })
  const { code } = await app.services.database.kysely
    .selectFrom('sys.document')
    .select('code')
    .where('tenant_id', '=', '10000')
    .where('student_id', '=', id)
    .executeTakeFirstOrThrow()
  const response = await app.call(`/verify/${code}`)
  expect(response.status).toBe(200)
  return await response.text()
}

/** Signs that masks in a text keep of the value: each one that is as long, or both ends of any other. */
function listKnown(value: string, text: string): ReadonlySet<number> {
  const known = new Set<number>()
  for (const [mask] of text.matchAll(
    /[^\s"',，;；：:<>()（）|]*\*{2,}[^\s"',，;；：:<>()（）|]*/g,
  )) {
    const signs = [...mask]
    const ofValue = [...value]
    if (signs.length !== ofValue.length) continue
    if (!signs.every((sign, at) => sign === '*' || sign === ofValue[at])) continue
    for (const [at, sign] of signs.entries()) if (sign !== '*') known.add(at)
  }
  return known
}

/** How many values fit, for somebody who knows of a person what many do of each other. */
function countFitting(kind: Kind, known: ReadonlySet<number>): number {
  const signs = [...values[kind]].map((sign, at) => (known.has(at) ? sign : null))
  const unknown = signs.filter((sign) => sign === null).length
  switch (kind) {
    case 'idCard':
      return listFittingIdNumbers(signs, { region: '110105', birth: '20031231', isMale: false })
        .length
    case 'passport':
    case 'mobile':
      return 10 ** unknown
    case 'email':
      return 36 ** unknown
    case 'address':
      // A few streets of a city, a number and a house: not counted in signs.
      return unknown > 6 ? 10 ** 6 : 1
    case 'bank':
      // The first six digits are those of the bank, and one is a check digit.
      return 10 ** (unknown - 7)
  }
}

/** The longest part of the value that stands in the text as it is. */
function findLongestPart(value: string, text: string): string {
  const signs = [...value]
  for (let length = signs.length; length > 0; length -= 1)
    for (let from = 0; from + length <= signs.length; from += 1) {
      const part = signs.slice(from, from + length).join('')
      if (text.includes(part)) return part
    }
  return ''
}

const textsAbout = (kind: Kind) =>
  [...texts].filter(([where]) => belongsTo(kind, where.split(' ')[0] as 'citizen' | 'foreigner'))

describe.each(kinds)('%s', (kind) => {
  const value = values[kind]
  it('is masked where it is read at all', () => {
    const shown = textsAbout(kind).filter(([, text]) =>
      text.includes(maskPii(toPiiKind(kind), value)),
    )
    const places = new Set(shown.map(([where]) => where.split(' ')[1]))
    for (const where of ['list', 'detail', 'csv']) expect(places).toContain(where)
    if (kind === 'idCard' || kind === 'passport')
      for (const where of ['prints', 'pages']) expect(places).toContain(where)
    expect(places).not.toContain('document')
  })

  it('keeps the same signs everywhere, and leaves open what the table of kinds says', () => {
    const known = new Set(textsAbout(kind).flatMap(([, text]) => [...listKnown(value, text)]))
    const unknown = [...value].filter((_sign, at) => !known.has(at)).length
    expect({ signs: unknown, values: countFitting(kind, known) }).toEqual(open[kind])
  })

  it('stands nowhere in part, beyond what its mask keeps', () => {
    for (const [where, text] of textsAbout(kind)) {
      const part = findLongestPart(value, text)
      // The domain of an e-mail is kept, and names of places stand in other texts too.
      const most = kind === 'email' ? value.length - value.indexOf('@') : 6
      expect([...part].length, `${where}: ${part}`).toBeLessThanOrEqual(most)
    }
  })
})

it('notices a mask that keeps other signs in one place', () => {
  const elsewhere = '139****5678'
  const prints = '*******45678'.slice(-11)
  expect(listKnown(values.mobile, elsewhere).size).toBe(7)
  expect(listKnown(values.mobile, `${elsewhere} ${prints}`).size).toBeGreaterThan(7)
})
