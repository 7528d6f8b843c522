import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessibilityViolations, signInStaff } from '../support/browser/browser.ts'
import { readQr } from '../support/documents/pdf.ts'
import { staffClient } from '../support/staff-client.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'

const stage = browserFixture()
let page: Page
let documents: { bytes: Buffer; code: string }[]

async function issue(api: Client<typeof contract>, account: string) {
  const { stream } = await api.print.adminDownload({ body: { account, reportId: '2001' } })
  const bytes = Buffer.from(await new Response(stream).arrayBuffer())
  return { bytes, code: (await readQr(bytes))?.split('/').at(-1) ?? '' }
}

beforeAll(async () => {
  const { api } = await staffClient(stage.server)
  documents = [await issue(api, '2022010000'), await issue(api, '2023010001')]
})
beforeEach(async () => {
  ;({ page } = await stage.visit({ width: 390, height: 844 }))
})

/** The verdict, by its heading. */
function findVerdict(title: string) {
  return page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) })
}
function drop(bytes: Buffer, name: string) {
  return page.locator('input[type=file]').setInputFiles({
    name,
    mimeType: 'application/pdf',
    buffer: bytes,
  })
}

describe('the holder of a document', () => {
  it('types its code and compares the file, without signing in and without sending it anywhere', async () => {
    const [{ bytes, code } = { bytes: Buffer.alloc(0), code: '' }] = documents
    const sent: string[] = []
    page.on('request', (request) =>
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`),
    )
    await page.goto(stage.at('/verify'))
    await page.locator('#verify-code:focus').waitFor()
    await page.keyboard.type('too short')
    await page.keyboard.press('Enter')
    await page.getByText('验证码应为 16 位字母和数字').waitFor()
    await page.fill('#verify-code', code.toLowerCase())
    await page.keyboard.press('Enter')
    await findVerdict('文件有效').waitFor()
    expect(await page.getByRole('definition').allInnerTexts()).toContainEqual(
      expect.stringContaining('2022****00'),
    )
    await drop(bytes, '成绩单.pdf')
    await page.getByText('成绩单.pdf 的每一个字节都与签发时相同').waitFor()
    const altered = Buffer.from(bytes)
    altered.writeUInt8((altered.readUInt8(3000) + 1) % 256, 3000)
    await drop(altered, '改过的.pdf')
    await page.getByRole('heading', { name: '与签发的文件不一致' }).waitFor()
    expect(sent.filter((request) => request.startsWith('POST'))).toEqual([])
  })
  it('reads on a phone, in either language, without obstacles', async () => {
    await page.goto(stage.at(`/verify/${documents[0]?.code ?? ''}`))
    await findVerdict('文件有效').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: /English/ }).click()
    await page.getByRole('heading', { name: 'This document is valid' }).waitFor()
  })
  it('learns that a code was never issued', async () => {
    await page.goto(stage.at('/verify/0000000000000000'))
    await findVerdict('查无此文件').filter({ hasText: '0000-0000-0000-0000' }).waitFor()
    expect(await page.getByRole('heading', { name: '核对电子文件' }).count()).toBe(0)
  })
})

describe('the registrar', () => {
  it('revokes a document from its page, with a reason; everyone sees it from then on', async () => {
    const [, { bytes, code } = { bytes: Buffer.alloc(0), code: '' }] = documents
    await signInStaff(page, stage.server, 'registrar')
    await page.goto(stage.at(`/verify/${code}`))
    await findVerdict('文件有效').waitFor()
    await page.getByRole('button', { name: '撤销该文件' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '撤销该文件' }).click()
    await page.getByText('请写明原因').waitFor()
    await page.getByRole('dialog').getByLabel('撤销原因').fill('成绩登记有误')
    await page.getByRole('dialog').getByRole('button', { name: '撤销该文件' }).click()
    await findVerdict('文件已撤销').waitFor()
    expect(await page.getByRole('button', { name: '撤销该文件' }).count()).toBe(0)
    await drop(bytes, '原件.pdf')
    await page.getByText('但该文件已被撤销').waitFor()
  })
})
