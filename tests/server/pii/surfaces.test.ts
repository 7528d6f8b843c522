// Every way out of the server, searched for full ID numbers and mobiles in the bytes that were sent.
import type { Row } from '@jiaowu/api/entity/values'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import ExcelJS from 'exceljs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'
import { sendJson } from './send-json.ts'

const tag = 'EDU_STUDENT'
const secret = {
  idCard: '110105194912310021',
  mobile: '13912345678',
  earlierIdCard: '110105195001010037',
  earlierMobile: '13987654321',
}
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let person: Row

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const [first] = (await admin.entityData.page({ params: { tag }, body: { pageSize: 1 } })).records
  person = await saveSurfaceValues(first?.id ?? '', {
    email: 'zhang.san@example.edu.cn',
    idCard: secret.earlierIdCard,
    mobile: secret.earlierMobile,
  })
  person = await saveSurfaceValues(person.id, { idCard: secret.idCard, mobile: secret.mobile })
})
afterAll(() => app.close())

async function saveSurfaceValues(id: string, values: object) {
  const { version } = await admin.entityData.get({ params: { tag, id } })
  return await admin.entityData.update({ params: { tag, id }, body: { version, ...values } })
}

async function sendForBytes(path: string, body?: unknown, method?: string) {
  const response = await sendJson(app, admin.token, path, body, method)
  return new Uint8Array(await response.arrayBuffer())
}

/** The text of an answer; of a workbook, all its cells. */
async function extractText(bytes: Uint8Array): Promise<string> {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new TextDecoder().decode(bytes)
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes.buffer as ArrayBuffer)
  return JSON.stringify(book.worksheets.map((sheet) => sheet.getSheetValues()))
}

const buildPersonQuery = () => ({
  pageNum: 1,
  pageSize: 10,
  queries: { studentNo: String(person['studentNo']) },
})

/** Each way out, and what its answer must hold to prove that it was about this person. */
const waysOut: Readonly<Record<string, { ask: () => Promise<Uint8Array>; holds: string }>> = {
  list: {
    ask: () => sendForBytes(`/entity/${tag}/data/page`, buildPersonQuery()),
    holds: '1****************1',
  },
  'filter by the whole value': {
    ask: () =>
      sendForBytes(`/entity/${tag}/data/page`, {
        pageNum: 1,
        pageSize: 10,
        queries: { idCard: secret.idCard },
      }),
    holds: '1****************1',
  },
  detail: { ask: () => sendForBytes(`/entity/${tag}/data/${person.id}`), holds: '139****5678' },
  'answer of a save': {
    ask: async () => {
      const { version } = await admin.entityData.get({ params: { tag, id: person.id } })
      return await sendForBytes(
        `/entity/${tag}/data/${person.id}`,
        { version, dormitory: '2' },
        'PUT',
      )
    },
    holds: '1****************1',
  },
  'answer to a stale save': {
    ask: () =>
      sendForBytes(`/entity/${tag}/data/${person.id}`, { version: 0, dormitory: '3' }, 'PUT'),
    holds: '1****************1',
  },
  'export as xlsx': {
    ask: () => sendForBytes(`/entity/${tag}/data/export`, buildPersonQuery()),
    holds: '1****************1',
  },
  'export as csv': {
    ask: () => sendForBytes(`/entity/${tag}/data/export`, { ...buildPersonQuery(), format: 'csv' }),
    holds: '1****************1',
  },
  'export as ndjson': {
    ask: () =>
      sendForBytes(`/entity/${tag}/data/export`, { ...buildPersonQuery(), format: 'ndjson' }),
    holds: '139****5678',
  },
  template: { ask: () => sendForBytes(`/entity/${tag}/data/export-template`), holds: '身份证号' },
  history: {
    ask: () => sendForBytes(`/entity/${tag}/data/${person.id}/history`),
    holds: '1****************7',
  },
  'preview of a bulk change': {
    ask: async () => {
      const { id } = await admin.bulk.update({
        params: { tag },
        body: { ids: [person.id], set: { dormitory: '9' } },
      })
      await bulkSettled(id)
      return await sendForBytes(`/bulk/${id}`)
    },
    holds: 'dormitory',
  },
  'faults of an import': {
    ask: async () => await sendForBytes(`/job/${(await wrongImport()).id}`),
    holds: '139*****6789',
  },
  'rows of an import': {
    ask: async () => await sendForBytes(`/job/${(await wrongImport()).id}/rows?verdict=wrong`),
    holds: '139*****6789',
  },
  'result of an import': {
    ask: async () => await sendForBytes(`/job/${(await wrongImport()).id}/result`),
    holds: '1****************1',
  },
  'recycle bin, searched by the whole value': {
    ask: async () => {
      const bin = (at: string | null) =>
        app.services.database.kysely
          .updateTable('biz.student')
          .set({ deleted_at: at })
          .where('id', '=', person.id)
          .execute()
      await bin(new Date().toISOString())
      const bytes = await sendForBytes(`/entity/${tag}/recycled/page`, { searchKey: secret.mobile })
      await bin(null)
      return bytes
    },
    holds: '139****5678',
  },
  'audit page': {
    ask: () => sendForBytes('/entity/SYS_LOG/data/page', { pageSize: 1000 }),
    holds: 'entity.update',
  },
}

/** One wrong row, with personal data in a mapped and in an unmapped column. */
async function wrongImport() {
  const line = [person['studentNo'], `${secret.idCard}1`, `${secret.mobile}9`, secret.idCard]
  const file = toCsv(`studentNo,idCard,mobile,xx\n${line.join(',')}\n`)
  return await importFile(admin, tag, file, {
    mode: 'update',
    key: 'studentNo',
    dryRun: 'true',
    mapping: JSON.stringify([{ column: 4, attrName: null }]),
  } as never)
}

async function bulkSettled(id: string) {
  for (;;) {
    const { status } = await admin.bulk.get({ params: { id } })
    if (status !== 'queued' && status !== 'running') return
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

it.each(Object.entries(waysOut))('%s holds no full value', async (_name, { ask, holds }) => {
  const text = await extractText(await ask())
  expect(text).toContain(holds)
  for (const value of Object.values(secret)) expect(text).not.toContain(value)
})
