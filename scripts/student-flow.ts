// Runs the whole flow of a student against a running server: captcha, SMS, registration, sign-in,
// list, preview, cashier, download, and a second download for free. Needs a server with test
// drivers: APP_ENV=test CAPTCHA_DRIVER=fixed SMS_DRIVER=outbox PAY_DRIVER=sandbox.
//
//   node scripts/student-flow.ts URL DATA_DIR CAPTCHA ADMIN_PASSWORD [OUT_DIR]
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { captchaTicketHeader, type SmsPurpose } from '@jiaowu/api/contract/student/student'
import { createClient } from '@jiaowu/api/client/client'
import type { FileReply } from '@jiaowu/api/endpoint'

const [
  url = 'http://127.0.0.1:7300',
  dataDir = './data',
  captcha = '',
  adminPassword = '',
  outDir = './student-flow',
] = process.argv.slice(2)
function createFlowClient(token?: string) {
  return createClient({
    baseURL: `${url}/api`,
    locale: () => 'zh-CN',
    authorise: () =>
      Promise.resolve(token === undefined ? undefined : { token, account: '', accountId: '' }),
  })
}
const anonymous = createFlowClient()
const logStep = (step: string, ...facts: readonly unknown[]) =>
  console.log(step.padEnd(22), ...facts)
async function readFileBytes({ stream }: FileReply) {
  return Buffer.from(await new Response(stream).arrayBuffer())
}
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
function assert(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

async function codeFor(mobile: string, purpose: SmsPurpose): Promise<string> {
  const { key, image } = await anonymous.student.captcha({})
  logStep('captcha', `${image.slice(0, 22)}…`, `${image.length} characters`)
  const { ticket } = await anonymous.student.verify({ body: { key, verifyTxt: captcha } })
  const { lockSeconds } = await anonymous.student.smsCode({
    query: { mobile, isType: purpose },
    headers: { [captchaTicketHeader]: ticket },
  })
  const lines = (await readFile(join(dataDir, 'outbox', 'sms.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { mobile: string; params: { code: string }; text: string })
  const message = lines.findLast((line) => line.mobile === mobile)
  assert(message !== undefined, `no SMS to ${mobile}`)
  logStep('SMS', message?.text, `next in ${lockSeconds} s`)
  return message?.params.code ?? ''
}

/**
 * Registration data of a student without an account, read as admin; the choice depends on the
 * mobile number.
 */
async function unregisteredStudent(mobile: string) {
  const { access_token } = await anonymous.session.signIn({
    body: { grant_type: 'password', username: 'admin', password: adminPassword },
  })
  const { records } = await createFlowClient(access_token).entityData.page({
    params: { tag: 'EDU_STUDENT' },
    body: {
      pageNum: 1 + (Number(mobile.slice(-3)) % 50),
      pageSize: 20,
      sorts: [{ column: 'studentNo', asc: false }],
    },
  })
  const row = records[Number(mobile.slice(-2)) % records.length] as
    | { idCard: string; name: string; major: { name: string }[] }
    | undefined
  assert(row !== undefined, 'no student to register')
  return { sfzh: row?.idCard ?? '', zymc: row?.major[0]?.name ?? '', name: row?.name ?? '' }
}

async function pay(codeUrl: string): Promise<void> {
  const page = await (await fetch(codeUrl)).text()
  logStep('cashier', /<p class="price">(.*)<\/p>/.exec(page)?.[1]?.replace(/<[^>]+>/g, ''), codeUrl)
  const pressed = await fetch(codeUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'button=pay',
  })
  assert(pressed.status === 303, `the cashier answered ${pressed.status}`)
}

await mkdir(outDir, { recursive: true })
const school = await anonymous.student.school({})
const { records: notices } = await anonymous.student.notices({
  body: {
    pageNum: -1,
    pageSize: -1,
    queries: { noticeStatus: '0' },
    sorts: [{ column: 'issueTime', asc: false }],
  },
})
logStep('school', school.schoolName, `${notices.length} notices`, school.feeNotice)

const mobile = `136${String(Date.now() % 100_000_000).padStart(8, '0')}`
const { name, ...record } = await unregisteredStudent(mobile)
await anonymous.student.register({
  body: { ...record, mobile, verCode: await codeFor(mobile, '2') },
})
logStep('registered', mobile, 'for', name)
logStep('waiting', 'one minute: the server sends one SMS per minute to a number')
await new Promise((resolve) => {
  setTimeout(resolve, 61_000)
})
const signedIn = await anonymous.student.signIn({
  body: {
    account: mobile,
    password: await codeFor(mobile, '1'),
    grantType: 'stupc',
    tenant: '10000',
    args: { clientId: '0000' },
  },
})
logStep('signed in', signedIn.userInfo, `${signedIn.expiresIn} s`)

const student = createFlowClient(signedIn.token)
logStep('detail', await student.student.detail({}))
const reports = await student.student.reports({})
for (const { reportName, reportLanguage, reportType, id } of reports)
  logStep('report', id, reportName, reportLanguage, reportType)
for (const wanted of ['TRANSCRIPT_ZH', 'TRANSCRIPT_EN']) {
  const report = reports.find(({ reportCode }) => reportCode === wanted)
  assert(report !== undefined, `no report ${wanted}`)
  const reportId = report?.id ?? ''
  logStep('price', await student.student.price({ query: { reportId } }))
  const preview = Buffer.from(await student.student.preview({ body: { reportId } }), 'base64')
  await writeFile(join(outDir, `${wanted}-preview.pdf`), preview)
  const order = await student.student.order({ body: { reportId, payType: 'wechat' } })
  logStep('order', order)
  await pay(order.code_url ?? '')
  const { code_status } = await student.student.orderStatus({ query: { orderNo: order.orderNo } })
  assert(code_status === '1', `paid, but the status is ${code_status}`)
  const file = await student.student.download({ query: { orderNo: order.orderNo } })
  const bytes = await readFileBytes(file)
  await writeFile(join(outDir, file.name), bytes)
  const second = await readFileBytes(
    await student.student.download({ query: { orderNo: order.orderNo } }),
  )
  assert(digest(bytes) === digest(second), 'the second download differs')
  logStep(
    'saved',
    file.name,
    `${bytes.byteLength} bytes`,
    `preview ${preview.byteLength} bytes`,
    digest(bytes).slice(0, 16),
    'the same twice',
  )
  const free = await student.student.order({ body: { reportId, payType: 'wechat' } })
  assert(free.code_status === '1' && free.amount === 0, 'the second download is not free')
  logStep('second time', free)
}
await student.session.signOut({})
console.log('done')
