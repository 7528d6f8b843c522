// The whole flow of a student against a running server, as a person would go through it: captcha, SMS, registration, sign-in, list,
// preview, cashier, download, the same again for nothing. Eyes and telephone are the test drivers: the server runs with APP_ENV=test
// CAPTCHA_DRIVER=fixed SMS_DRIVER=outbox PAY_DRIVER=sandbox.
//
//   node scripts/student-flow.ts URL DATA_DIR CAPTCHA ADMIN_PASSWORD [OUT_DIR]
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { captchaTicketHeader, createClient, type FileReply, type SmsPurpose } from '@jiaowu/api'

const [
  url = 'http://127.0.0.1:7300',
  dataDir = './data',
  captcha = '',
  adminPassword = '',
  outDir = './student-flow',
] = process.argv.slice(2)
function clientOf(token?: string) {
  return createClient({
    baseURL: `${url}/api`,
    locale: () => 'zh-CN',
    authorise: () =>
      Promise.resolve(token === undefined ? undefined : { token, account: '', accountId: '' }),
  })
}
const anyone = clientOf()
const say = (step: string, ...facts: readonly unknown[]) => console.log(step.padEnd(22), ...facts)
async function bytesOf({ stream }: FileReply) {
  return Buffer.from(await new Response(stream).arrayBuffer())
}
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
function assert(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

async function codeFor(mobile: string, purpose: SmsPurpose): Promise<string> {
  const { key, image } = await anyone.student.captcha({})
  say('captcha', `${image.slice(0, 22)}…`, `${image.length} characters`)
  const { ticket } = await anyone.student.verify({ body: { key, verifyTxt: captcha } })
  const { lockSeconds } = await anyone.student.smsCode({
    query: { mobile, isType: purpose },
    headers: { [captchaTicketHeader]: ticket },
  })
  const lines = (await readFile(join(dataDir, 'outbox', 'sms.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { mobile: string; params: { code: string }; text: string })
  const message = lines.findLast((line) => line.mobile === mobile)
  assert(message !== undefined, `no SMS to ${mobile}`)
  say('SMS', message?.text, `next in ${lockSeconds} s`)
  return message?.params.code ?? ''
}

/** Somebody without an account, as the registrar sees them. */
async function someone(mobile: string) {
  const { access_token } = await anyone.session.signIn({
    body: { grant_type: 'password', username: 'admin', password: adminPassword },
  })
  const { records } = await clientOf(access_token).entityData.page({
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
  say('cashier', /<p class="price">(.*)<\/p>/.exec(page)?.[1]?.replace(/<[^>]+>/g, ''), codeUrl)
  const pressed = await fetch(codeUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'button=pay',
  })
  assert(pressed.status === 303, `the cashier answered ${pressed.status}`)
}

await mkdir(outDir, { recursive: true })
const school = await anyone.student.school({})
const { records: notices } = await anyone.student.notices({
  body: {
    pageNum: -1,
    pageSize: -1,
    queries: { noticeStatus: '0' },
    sorts: [{ column: 'issueTime', asc: false }],
  },
})
say('door', school.schoolName, `${notices.length} notices`, school.feeNotice)

const mobile = `136${String(Date.now() % 100_000_000).padStart(8, '0')}`
const { name, ...record } = await someone(mobile)
await anyone.student.register({ body: { ...record, mobile, verCode: await codeFor(mobile, '2') } })
say('registered', mobile, 'for', name)
say('waiting', 'a minute: one SMS a minute for a number, whatever it is for')
await new Promise((resolve) => {
  setTimeout(resolve, 61_000)
})
const signedIn = await anyone.student.signIn({
  body: {
    account: mobile,
    password: await codeFor(mobile, '1'),
    grantType: 'stupc',
    tenant: '10000',
    args: { clientId: '0000' },
  },
})
say('signed in', signedIn.userInfo, `${signedIn.expiresIn} s`)

const me = clientOf(signedIn.token)
say('detail', await me.student.detail({}))
const reports = await me.student.reports({})
for (const { reportName, reportLanguage, reportType, id } of reports)
  say('report', id, reportName, reportLanguage, reportType)
for (const wanted of ['TRANSCRIPT_ZH', 'TRANSCRIPT_EN']) {
  const report = reports.find(({ reportCode }) => reportCode === wanted)
  assert(report !== undefined, `no report ${wanted}`)
  const reportId = report?.id ?? ''
  say('price', await me.student.price({ query: { reportId } }))
  const preview = Buffer.from(await me.student.preview({ body: { reportId } }), 'base64')
  await writeFile(join(outDir, `${wanted}-preview.pdf`), preview)
  const order = await me.student.order({ body: { reportId, payType: 'wechat' } })
  say('order', order)
  await pay(order.code_url ?? '')
  const { code_status } = await me.student.orderStatus({ query: { orderNo: order.orderNo } })
  assert(code_status === '1', `paid, but the status is ${code_status}`)
  const file = await me.student.download({ query: { orderNo: order.orderNo } })
  const bytes = await bytesOf(file)
  await writeFile(join(outDir, file.name), bytes)
  const again = await bytesOf(await me.student.download({ query: { orderNo: order.orderNo } }))
  assert(digest(bytes) === digest(again), 'the second download differs')
  say(
    'saved',
    file.name,
    `${bytes.byteLength} bytes`,
    `preview ${preview.byteLength} bytes`,
    digest(bytes).slice(0, 16),
    'the same twice',
  )
  const free = await me.student.order({ body: { reportId, payType: 'wechat' } })
  assert(free.code_status === '1' && free.amount === 0, 'the second download is not free')
  say('second time', free)
}
await me.session.signOut({})
console.log('done')
