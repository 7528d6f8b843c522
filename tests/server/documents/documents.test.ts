import { createHash } from 'node:crypto'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiProblem } from '@jiaowu/api/problem'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimDocument } from '../../../apps/server/src/documents/claim.ts'
import { draw } from '../../../apps/server/src/documents/drawing/draw-job.ts'
import { gatherContent } from '../../../apps/server/src/documents/content/gather.ts'
import {
  documentOfOrder,
  type DocumentOf,
  issueDocument,
  previewDocument,
  readDocument,
  revokeDocument,
} from '../../../apps/server/src/documents/index.ts'
import { Refusal } from '../../../apps/server/src/platform/refusal.ts'
import { checkSignature } from '../../support/documents/cms.ts'
import { readPages, poppler, readQr } from '../../support/documents/pdf.ts'

const publicUrl = 'https://jw.example.edu.cn'
const tenant = '10000'
const reports = {
  transcriptZh: '2001',
  transcriptEn: '2002',
  enrolledZh: '2003',
  enrolledEn: '2004',
  conversionZh: '2005',
  conversionEn: '2006',
  otherZh: '2007',
  otherEn: '2008',
} as const
const studentId = (index: number) => String(4_000_001 + index)
function pick(index: number, report: keyof typeof reports): DocumentOf {
  return {
    tenant,
    studentId: studentId(index),
    reportId: reports[report],
  }
}

let app: TestApp
let orders = 0
const newOrder = () => `T${String((orders += 1)).padStart(8, '0')}`
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
function judge(work: Promise<unknown>) {
  return work.then(
    () => 200,
    (error: unknown) =>
      error instanceof Refusal
        ? error.status
        : error instanceof ApiProblem
          ? error.problem.code
          : Promise.reject(error),
  )
}
async function issue(what: DocumentOf, orderNo = newOrder()) {
  const document = await issueDocument(app.services, { ...what, orderNo })
  return { document, orderNo, bytes: await readDocument(app.services, document) }
}
/** Every course in several terms: a record of several pages. */
function makeLongRecord(index: number) {
  return sql`
  insert into biz.grade (id, tenant_id, student_id, course_id, term, score, credit, grade_point, passed)
  select 90000000 + ${index} * 1000 + row_number() over (), tenant_id, ${studentId(index)}, id,
    t.term, 55 + (id % 45), credit, greatest(0, (5 + (id % 45)) / 10.0),
    case when 55 + (id % 45) >= 60 then '1' else '0' end
  from biz.course, (values ('2023-2024-1'), ('2023-2024-2')) as t(term) where tenant_id = ${tenant}
    on conflict do nothing`.execute(app.services.database.kysely)
}

beforeAll(async () => {
  app = await testApp({ PUBLIC_URL: publicUrl })
  await makeLongRecord(5)
})
afterAll(() => app.close())

describe('a preview', () => {
  it('has a watermark on every page, and neither number, code, whole ID number nor signature', async () => {
    const bytes = await previewDocument(app.services, pick(5, 'transcriptZh'))
    const pages = await readPages(bytes)
    const {
      rows: [stored],
    } = await sql<{
      id_card: string
    }>`select id_card from biz.student where id = ${studentId(5)}`.execute(
      app.services.database.kysely,
    )
    const idCard = idNumberOf(app.services, stored?.id_card ?? null)
    expect(idCard).toMatch(/^\d{17}[\dX]$/)
    expect(pages[0]).toContain(`${idCard.slice(0, 1)}${'*'.repeat(16)}${idCard.slice(-1)}`)
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) {
      expect(page).toContain('预览 · 仅供核对')
      expect(page).not.toMatch(/编号|验证码/)
      expect(page).not.toContain(idCard)
    }
    expect(Buffer.from(bytes).includes('/ByteRange')).toBe(false)
    const drawing = {
      content: await gatherContent(
        app.services.keys,
        app.services.database.kysely,
        pick(5, 'transcriptZh'),
      ),
      issue: null,
      verifySite: '',
      fonts: [],
      verifyUrl: '',
    }
    expect(hash(await draw({ drawing, signing: null }))).toBe(hash(bytes))
  })
  it('is refused where the document could not be issued, so that no payment starts', async () => {
    await sql`update biz.student set status = '4' where id = ${studentId(8)}`.execute(
      app.services.database.kysely,
    )
    await sql`update biz.grade set deleted_at = now() where student_id = ${studentId(8)}`.execute(
      app.services.database.kysely,
    )
    const { services } = app
    expect(await judge(previewDocument(services, pick(8, 'enrolledZh')))).toBe(422)
    expect(await judge(previewDocument(services, pick(8, 'transcriptZh')))).toBe(422)
    expect(
      await judge(issueDocument(services, { ...pick(8, 'transcriptZh'), orderNo: newOrder() })),
    ).toBe(422)
    expect(
      await judge(previewDocument(services, { ...pick(0, 'transcriptZh'), tenant: '10001' })),
    ).toBe(404)
    expect(
      await judge(previewDocument(services, { ...pick(0, 'transcriptZh'), reportId: '999' })),
    ).toBe(404)
  })
})

describe('the final document', () => {
  it('continues its table on further pages, each with heading, page number and student', async () => {
    const { document, bytes } = await issue(pick(5, 'transcriptZh'))
    const pages = await readPages(bytes)
    expect(pages.length).toBeGreaterThan(2)
    pages.forEach((page, i) => {
      expect(page).toContain(`第 ${i + 1} 页 共 ${pages.length} 页`)
      expect(page).toContain(document.number)
      expect(page).toContain('课程名称')
      expect(page).toContain('2023010005')
      expect(page).not.toContain('预览')
    })
    expect(pages.join('')).toContain('（续）')
    expect(pages.at(-1)).toContain('平均学分绩点')
  })
  it.each(Object.keys(reports) as (keyof typeof reports)[])(
    '%s names its student and can be verified by its QR code',
    async (report) => {
      const { document, bytes } = await issue(pick(1, report))
      const text = (await readPages(bytes)).join('')
      const {
        rows: [student],
      } = await sql<{
        name: string
        name_en: string
        student_no: string
        id_card: string
      }>`select name, name_en, student_no, id_card from biz.student where id = ${studentId(1)}`.execute(
        app.services.database.kysely,
      )
      for (const known of [
        document.language === 'en' ? student?.name_en : student?.name,
        student?.student_no,
        idNumberOf(app.services, student?.id_card ?? null),
        document.number,
      ])
        expect(text).toContain(known)
      expect(await readQr(bytes)).toBe(`${publicUrl}/#/verify/${document.code}`)
      expect(bytes.byteLength).toBeLessThan(200_000)
    },
  )
  it('embeds only the glyphs that it uses, and no active content', async () => {
    const { bytes } = await issue(pick(5, 'transcriptZh'))
    const bare = Buffer.from(bytes)
      .toString('latin1')
      .replace(/\bstream\r?\n[\s\S]*?endstream/g, '')
      .replace(/<[0-9a-f]{64,}>/gi, '')
    expect(
      bare.match(
        /\/(?:JS|JavaScript|Launch|OpenAction|EmbeddedFiles?|AA|RichMedia|GoToE|SubmitForm)\b/g,
      ),
    ).toBeNull()
    const fonts = [...bare.matchAll(/\/BaseFont \/([^\s/]+)/g)].map(([, name]) => name)
    expect(fonts.length).toBeGreaterThan(0)
    for (const name of fonts) expect(name).toMatch(/^[A-Z]{6}\+Noto/)
    expect(bare.match(/\/FontFile2 /g)?.length).toBe(new Set(fonts).size)
    const table = await poppler('pdffonts', bytes)
    for (const line of table
      ?.split('\n')
      .slice(2)
      .filter((row) => row !== '') ?? [])
      expect(line).toMatch(/yes yes yes/)
  })
  it('declares its title and language', async () => {
    const { bytes } = await issue(pick(1, 'transcriptEn'))
    const text = Buffer.from(bytes).toString('latin1')
    expect(text).toMatch(/\/Lang \(en\)/)
    expect(text).toMatch(/\/DisplayDocTitle true/)
  })
})

describe('terms', () => {
  it('other than first and second use the name from the dictionary', async () => {
    const { kysely } = app.services.database
    await kysely
      .insertInto('sys.dict_item')
      .values({
        id: '77',
        tenant_id: tenant,
        dict_code: 'term',
        item_code: '2024-2025-3',
        name: '2024-2025 学年夏季学期',
        name_en: 'Summer Term 2025',
      })
      .execute()
    await sql`update biz.grade set term = '2024-2025-3' where student_id = ${studentId(33)} and id = (select min(id) from biz.grade where student_id = ${studentId(33)})`.execute(
      kysely,
    )
    expect(
      (await readPages(await previewDocument(app.services, pick(33, 'transcriptZh')))).join(''),
    ).toContain('2024-2025 学年夏季学期')
    expect(
      (await readPages(await previewDocument(app.services, pick(33, 'conversionEn')))).join(''),
    ).toContain('Summer Term 2025')
    expect(
      (await readPages(await previewDocument(app.services, pick(33, 'otherZh')))).join(''),
    ).toContain('2024–2025')
  })
})

describe('names', () => {
  it('are drawn when rare or long, and refused where a glyph is missing', async () => {
    const { kysely } = app.services.database
    const longest =
      'Maximiliana-Alexandrina Konstantinopoulou von Hohenzollern-Sigmaringen de Vasconcelos e Albuquerque'
    await sql`update biz.student set name = '龑䶮𬍛·阿不都热合曼', name_en = ${longest} where id = ${studentId(30)}`.execute(
      kysely,
    )
    expect((await readPages((await issue(pick(30, 'transcriptZh'))).bytes)).join('')).toContain(
      '龑䶮𬍛·阿不都热合曼',
    )
    expect(
      (await readPages((await issue(pick(30, 'transcriptEn'))).bytes)).join('').replace(/\s/g, ''),
    ).toContain(longest.replaceAll(' ', ''))
    expect(
      (await readPages((await issue(pick(30, 'enrolledEn'))).bytes)).join('').replace(/\s/g, ''),
    ).toContain(longest.replaceAll(' ', ''))
    await sql`update biz.student set name = '𠮷田' where id = ${studentId(31)}`.execute(kysely)
    await expect(previewDocument(app.services, pick(31, 'enrolledZh'))).rejects.toMatchObject({
      status: 422,
      text: { key: 'document.missingGlyphs', params: { characters: '𠮷' } },
    })
    // The file has this one character of HanaMinB (Hanazono Font License).
    const documentFonts = [join(import.meta.dirname, '../../support/documents/rare-character.ttf')]
    const settings = { ...app.services.settings, documentFonts }
    const withFont = await previewDocument({ ...app.services, settings }, pick(31, 'enrolledZh'))
    // In the sentence and in every watermark.
    expect((await readPages(Buffer.from(withFont))).join('').split('𠮷田').length).toBeGreaterThan(
      8,
    )
    await sql`update biz.student set name_en = 'Siobhán O’Neill “Sio”' where id = ${studentId(32)}`.execute(
      kysely,
    )
    expect((await readPages((await issue(pick(32, 'enrolledEn'))).bytes)).join('')).toContain(
      `Siobhán O'Neill "Sio"`,
    )
  })
})

describe('the signature', () => {
  it('covers the whole file, and any changed byte breaks it', async () => {
    const { bytes } = await issue(pick(2, 'transcriptZh'))
    const check = checkSignature(bytes)
    expect(check).toMatchObject({
      whole: true,
      digestFits: true,
      signatureFits: true,
      certificateNamed: true,
    })
    expect(check.certificate.subject).toContain('示范大学')
    const altered = Buffer.from(bytes)
    altered.writeUInt8((altered.readUInt8(2000) + 1) % 256, 2000)
    expect(checkSignature(altered).digestFits).toBe(false)
    expect(checkSignature(Buffer.concat([bytes, Buffer.from('\n')])).whole).toBe(false)
    const [said, saidOfAltered] = [await poppler('pdfsig', bytes), await poppler('pdfsig', altered)]
    if (said !== null) expect(said).toContain('Signature is Valid')
    if (said !== null) expect(said).toContain('Total document signed')
    if (saidOfAltered !== null) expect(saidOfAltered).not.toContain('Signature is Valid')
  })
  it('uses a key file that only the server can read', async () => {
    await issue(pick(2, 'enrolledZh'))
    const folder = join(app.services.settings.dataDir, 'signing')
    expect(await readdir(folder)).toEqual(['10000.pem'])
    expect((await stat(join(folder, '10000.pem'))).mode & 0o777).toBe(0o600)
  })
})

describe('the ledger', () => {
  it('issues one document per order under parallel requests', async () => {
    const orderNo = newOrder()
    const all = await Promise.all(
      Array.from({ length: 8 }, () =>
        issueDocument(app.services, { ...pick(3, 'transcriptZh'), orderNo }),
      ),
    )
    expect(
      new Set(all.map(({ number, code, sha256: digest }) => `${number} ${code} ${digest}`)).size,
    ).toBe(1)
    expect(await documentOfOrder(app.services, tenant, orderNo)).toEqual(all[0])
    expect(await judge(issueDocument(app.services, { ...pick(4, 'transcriptZh'), orderNo }))).toBe(
      404,
    )
  })
  it('issues one document for parallel orders of a student, and numbers those of others without gaps', async () => {
    const [same, others] = [
      await Promise.all(Array.from({ length: 5 }, () => issue(pick(10, 'otherZh')))),
      await Promise.all([11, 12, 13, 14].map((index) => issue(pick(index, 'otherZh')))),
    ]
    expect(new Set(same.map(({ document }) => document.number)).size).toBe(1)
    const numbers = [same[0], ...others]
      .map((one) => Number(one?.document.number.slice(-6)))
      .toSorted((a, b) => a - b)
    expect(numbers.map((number) => number - (numbers[0] ?? 0))).toEqual([0, 1, 2, 3, 4])
  })
  it('keeps an issued document when the record changes, and issues a new one for a later order', async () => {
    const first = await issue(pick(6, 'transcriptZh'))
    await sql`update biz.grade set score = 99.5 where student_id = ${studentId(6)}`.execute(
      app.services.database.kysely,
    )
    const second = await issue(pick(6, 'transcriptZh'))
    expect(second.document.number).not.toBe(first.document.number)
    expect((await readPages(second.bytes)).join('')).toContain('99.5')
    const again = await issue(pick(6, 'transcriptZh'), first.orderNo)
    expect(hash(again.bytes)).toBe(hash(first.bytes))
    expect(hash(first.bytes)).toBe(first.document.sha256)
  })
  it('completes an issue after a crash with the number and code claimed before', async () => {
    const orderNo = newOrder()
    const claimed = await claimDocument(app.services, { ...pick(7, 'transcriptZh'), orderNo })
    expect(await documentOfOrder(app.services, tenant, orderNo)).toBeNull()
    app.advance(3_600_000)
    const { document } = await issue(pick(7, 'transcriptZh'), orderNo)
    expect(document).toMatchObject({
      number: claimed.number,
      code: claimed.code,
      issuedAt: claimed.issued_at,
    })
  })
  it('redraws a lost or damaged file byte for byte', async () => {
    const { document, bytes } = await issue(pick(9, 'conversionEn'))
    const path = join(app.services.settings.dataDir, 'documents', tenant, `${document.sha256}.pdf`)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await writeFile(path, 'not a document')
    expect(Buffer.from(await readDocument(app.services, document)).equals(Buffer.from(bytes))).toBe(
      true,
    )
    expect((await readdir(join(path, '..'))).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('the register of documents', () => {
  it('can be searched by staff and is read-only', async () => {
    const { document } = await issue(pick(23, 'conversionZh'))
    const [registrar, admin] = [await app.signIn('registrar'), await app.signIn('admin')]
    const page = await registrar.entityData.page({
      params: { tag: 'RPT_DOCUMENT' },
      body: { queries: { number: document.number } },
    })
    expect(page.records).toHaveLength(1)
    expect(page.records[0]).toMatchObject({
      number: document.number,
      code: document.code,
      kind: [{ id: 'conversion', name: '成绩转换证明' }],
      student: [{ id: studentId(23) }],
      revokedAt: null,
    })
    expect(page.records[0]).not.toHaveProperty('content')
    expect(
      await judge(admin.entityData.remove({ params: { tag: 'RPT_DOCUMENT', ids: document.id } })),
    ).toBe(403)
    expect(
      await judge(
        admin.entityData.update({
          params: { tag: 'RPT_DOCUMENT', id: document.id },
          body: { number: 'x', version: 1 },
        }),
      ),
    ).toBe(403)
    expect(
      await judge(
        (await app.signIn('viewer')).entityData.page({ params: { tag: 'RPT_DOCUMENT' }, body: {} }),
      ),
    ).toBe(403)
    expect(
      (
        await (
          await app.signIn('admin', '10001')
        ).entityData.page({ params: { tag: 'RPT_DOCUMENT' }, body: {} })
      ).total,
    ).toBe(0)
    expect(
      await judge(admin.entityData.remove({ params: { tag: 'EDU_STUDENT', ids: studentId(23) } })),
    ).toBe(409)
  })
})

describe('verification', () => {
  it('distinguishes valid, unknown and revoked documents, and masks personal data', async () => {
    const { document, bytes, orderNo } = await issue(pick(20, 'transcriptZh'))
    const anyone = app.client('')
    const typed = document.code.toLowerCase().replace(/(.{4})/g, '$1-')
    const known = await anyone.verify.check({ params: { code: typed } })
    expect(known).toMatchObject({
      status: 'valid',
      document: {
        number: document.number,
        sha256: hash(bytes),
        size: bytes.byteLength,
        kind: 'transcript',
        language: 'zh',
        school: { name: '示范大学', nameEn: 'Demonstration University' },
        revokedAt: null,
      },
    })
    expect(known.document?.holder).toMatch(/^.\*.?$/u)
    expect(known.document?.studentNo).toMatch(/^2022\*+\d\d$/)
    expect(await anyone.verify.check({ params: { code: '0000000000000000' } })).toEqual({
      status: 'unknown',
      document: null,
    })
    expect(await anyone.verify.check({ params: { code: `x'; drop` } })).toEqual({
      status: 'unknown',
      document: null,
    })

    const revocation = { body: { number: document.number, reason: '成绩登记有误' } }
    expect(await judge((await app.signIn('viewer')).verify.revoke(revocation))).toBe(403)
    expect(await judge((await app.signIn('admin', '10001')).verify.revoke(revocation))).toBe(404)
    const admin = await app.signIn('admin')
    expect((await admin.verify.revoke(revocation)).number).toBe(document.number)
    expect(await judge(admin.verify.revoke(revocation))).toBe(409)
    expect(await anyone.verify.check({ params: { code: document.code } })).toMatchObject({
      status: 'revoked',
      document: { number: document.number },
    })
    expect(await judge(readDocument(app.services, document))).toBe(404)
    expect(
      (await issueDocument(app.services, { ...pick(20, 'transcriptZh'), orderNo })).revokedAt,
    ).not.toBeNull()
    expect((await issue(pick(20, 'transcriptZh'))).document.number).not.toBe(document.number)
  })
  it('does not confirm a document whose file is not stored yet', async () => {
    const { code } = await claimDocument(app.services, {
      ...pick(21, 'transcriptZh'),
      orderNo: newOrder(),
    })
    expect(await app.client('').verify.check({ params: { code } })).toEqual({
      status: 'unknown',
      document: null,
    })
  })
  it('answers at most 20 requests a minute per address', async () => {
    const check = async (ip: string) =>
      (await app.call('/verify/0000000000000000', {}, { ip, secure: false })).status
    const statuses = await Promise.all(Array.from({ length: 25 }, () => check('203.0.113.7')))
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    expect(await check('203.0.113.8')).toBe(200)
    app.advance(61_000)
    expect(await check('203.0.113.7')).toBe(200)
  })
  it('is revoked once under parallel requests', async () => {
    const { document } = await issue(pick(22, 'enrolledEn'))
    const results = await Promise.all(
      Array.from({ length: 4 }, () =>
        judge(
          revokeDocument(app.services, { tenant, number: document.number, reason: 'x', by: '1' }),
        ),
      ),
    )
    expect(results.toSorted()).toEqual([200, 409, 409, 409])
  })
})
