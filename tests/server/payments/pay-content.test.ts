// The goods of an order are fixed, and can be made, before a code to pay exists.
import { schoolDay } from '@jiaowu/api/formats'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readPages } from '../../support/documents/pdf.ts'
import { catchProblem } from '../../support/student.ts'
import {
  allReports,
  app,
  chooseReport,
  openPayDatabase,
  advancePayments,
  me,
  sendNotification,
  orderWithWechat,
  payOrder,
  report,
  usePaymentApp,
  wechat,
} from './pay-setup.ts'

usePaymentApp()

interface Name {
  readonly name: string
  readonly nameEn: string | null
}
let own: Name & { readonly id: string }
beforeAll(async () => {
  const { rows } = await sql<Name & { id: string }>`
    select id::text as id, name, name_en as "nameEn" from biz.student
    where account_mobile = '13800000001'`.execute(openPayDatabase())
  own = rows[0] ?? { id: '', name: '', nameEn: '' }
})
afterEach(() => rename(own))

async function rename({ name, nameEn }: Name): Promise<void> {
  await sql`update biz.student set name = ${name}, name_en = ${nameEn} where id = ${own.id}`.execute(
    openPayDatabase(),
  )
}
async function findLanguage(reportId: string): Promise<string> {
  const found = (await me.student.reports({})).find(({ id }) => id === reportId)
  return found?.reportLanguage ?? ''
}
async function downloadDocument(orderNo: string): Promise<Buffer> {
  const { stream } = await me.student.download({ query: { orderNo } })
  return Buffer.from(await new Response(stream).arrayBuffer())
}
async function readDocumentText(orderNo: string): Promise<string> {
  return (await readPages(await downloadDocument(orderNo))).join('').replace(/\s/g, '')
}

/** Names, and the characters of them that no font has. */
const names = [
  { name: '𠮷田', nameEn: 'Ji Tian', zh: '𠮷', en: '' },
  { name: '王𰻝', nameEn: 'Wang Biang', zh: '𰻝', en: '' },
  { name: '王𰻝', nameEn: null, zh: '𰻝', en: '𰻝' },
  { name: 'ئابدۇرېھىم', nameEn: 'Abdurehim', zh: 'ئابدۇرېھىم', en: '' },
  { name: '卢卡什', nameEn: 'Łukasz Żółć', zh: '', en: '' },
  { name: 'Łukasz Żółć', nameEn: 'Ōkawa Đặng', zh: '', en: '' },
  { name: 'Қайрат Нұрлан', nameEn: 'Qairat Nūrlan', zh: '', en: '' },
]

describe.each(names)('an order of $name ($nameEn)', ({ name, nameEn, zh, en }) => {
  it('is refused before a code exists where a printed character is missing, for every report', async () => {
    await rename({ name, nameEn })
    expect(allReports().length).toBeGreaterThanOrEqual(8)
    for (const [index, reportId] of allReports().entries()) {
      chooseReport(index)
      const lacking = (await findLanguage(reportId)) === 'en' ? en : zh
      if (lacking === '') {
        const { orderNo, code_url } = await orderWithWechat()
        expect([reportId, code_url]).toEqual([reportId, `weixin://wxpay/bizpayurl?pr=${orderNo}`])
      } else {
        for (const refused of [
          await catchProblem(orderWithWechat()),
          await catchProblem(me.student.preview({ body: { reportId } })),
        ]) {
          expect([reportId, refused.code]).toEqual([reportId, 422])
          for (const character of new Set(lacking)) expect(refused.message).toContain(character)
        }
        expect(await countOrders(reportId)).toBe(0)
      }
    }
  })
})

async function countOrders(reportId: string): Promise<number> {
  const rows = await openPayDatabase()
    .selectFrom('biz.print_order')
    .select('id')
    .where('report_id', '=', reportId)
    .execute()
  return rows.length
}

describe('a name that changes during the scan', () => {
  it.each(['王𰻝', '改名后'])('to %s changes nothing of what was sold', async (name) => {
    const { orderNo } = await orderWithWechat()
    await rename({ name, nameEn: own.nameEn })
    wechat.pay(orderNo)
    await sendNotification(wechat.notification(orderNo))
    const [first, second] = [await downloadDocument(orderNo), await downloadDocument(orderNo)]
    expect(second.equals(first)).toBe(true)
    const text = await readDocumentText(orderNo)
    expect(text).toContain(own.name)
    expect(text).not.toContain(name)
    const left = await openPayDatabase().selectFrom('sys.order_content').select('id').execute()
    expect(left).toEqual([])
  })
  it('is what an unpaid order sells that the student makes again', async () => {
    const { orderNo } = await orderWithWechat()
    await rename({ name: '改名后', nameEn: own.nameEn })
    expect((await orderWithWechat()).orderNo).toBe(orderNo)
    wechat.pay(orderNo)
    await sendNotification(wechat.notification(orderNo))
    expect(await readDocumentText(orderNo)).toContain('改名后')
  })
  it('refuses the order that the student makes again when it cannot be drawn', async () => {
    const { orderNo } = await orderWithWechat()
    await rename({ name: '王𰻝', nameEn: own.nameEn })
    expect((await catchProblem(orderWithWechat())).code).toBe(422)
    wechat.pay(orderNo)
    await sendNotification(wechat.notification(orderNo))
    expect(await readDocumentText(orderNo)).toContain(own.name)
  })
})

describe('a paid document that cannot be made all the same', () => {
  async function paidWithout(): Promise<string> {
    const orderNo = await payOrder()
    // As an order from before its content was fixed.
    await openPayDatabase().deleteFrom('sys.order_content').execute()
    await rename({ name: '王𰻝', nameEn: own.nameEn })
    return orderNo
  }

  it('is told to the student with the refund, and once to the staff', async () => {
    const orderNo = await paidWithout()
    for (let tries = 0; tries < 3; tries += 1) {
      const refused = await catchProblem(me.student.download({ query: { orderNo } }))
      expect(refused).toMatchObject({ code: 409, data: { code_status: '1', refund: 'requested' } })
      expect(refused.message).toContain('𰻝')
    }
    const admin = await app.signIn('admin')
    const { records } = await admin.print.refunds({ query: { state: 'REQUESTED' } })
    expect(records).toMatchObject([
      { orderNo, automatic: true, mayDecide: true, reason: '文件无法制作，系统申请退款' },
    ])
    expect(await admin.print.discrepancies({ query: {} })).toMatchObject([
      { orderNo, kind: 'paidNotMade', day: schoolDay(app.services.now()) },
    ])
    const told = await openPayDatabase()
      .selectFrom('sys.message')
      .select('receiver_id')
      .where('title', 'like', `%${orderNo}%`)
      .execute()
    expect(told.length).toBeGreaterThan(0)
    expect(new Set(told.map(({ receiver_id }) => receiver_id)).size).toBe(told.length)
    expect(await refundInList()).toBe('requested')

    await admin.print.decideRefund({ params: { id: records[0]?.id ?? '' }, body: { agree: true } })
    await advancePayments(1_000)
    expect((await catchProblem(me.student.download({ query: { orderNo } }))).data).toEqual({
      code_status: '4',
    })
    expect(await refundInList()).toBe('done')
  })

  it('is downloaded once it can be made, which withdraws the request', async () => {
    const orderNo = await paidWithout()
    await catchProblem(me.student.download({ query: { orderNo } }))
    await rename(own)
    expect(await readDocumentText(orderNo)).toContain(own.name)
    const admin = await app.signIn('admin')
    const { records } = await admin.print.refunds({ query: {} })
    expect(records).toMatchObject([{ orderNo, state: 'REJECTED' }])
    expect(await admin.print.discrepancies({ query: {} })).toEqual([])
    expect(await refundInList()).toBeUndefined()
  })

  async function refundInList(): Promise<string | undefined> {
    return (await me.student.reports({})).find(({ id }) => id === report)?.refund
  }
})
