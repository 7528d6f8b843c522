// Admission week: students sign in by SMS code behind the addresses of a campus, with the settings of
// docs/operations/limits.md. All sign-ins of an hour come at once, so that every window of the limits holds them.
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '@jiaowu/api/exact-json'
import { sql } from 'kysely'
import { dataDir, seed, startServer, withDatabase } from './place.ts'

const students = 40_000
const addresses = 20
/** People of one address who sign in at the same moment. */
const atOnce = 4
const captcha = 'AAAA'

/** As the page says. */
const settings = {
  APP_ENV: 'test',
  DEMO: '0',
  CAPTCHA_DRIVER: 'fixed',
  CAPTCHA_FIXED: captcha,
  TRUST_PROXY: '127.0.0.1',
  CAMPUS_CIDRS: '10.8.0.0/24',
  CAMPUS_FACTOR: '100',
  SMS_DAILY_BUDGET: '100000',
}

export async function benchAdmission(signIns: number): Promise<void> {
  seed(students)
  await withDatabase(({ kysely, long }) =>
    long(() =>
      sql`update biz.student s set account_mobile = '137' || lpad(n.n::text, 8, '0')
        from (select id, row_number() over (order by id) as n from biz.student where tenant_id = 10000) n
        where s.tenant_id = 10000 and s.id = n.id`.execute(kysely),
    ),
  )
  const server = await startServer(settings)
  const codes = followOutbox()
  const answers = new Map<string, number>()
  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1)
  let next = 0
  const [started, cpu] = [performance.now(), readCpu(server.pid)]
  const waits: number[] = []
  await Promise.all(
    Array.from({ length: addresses * atOnce }, async (_none, worker) => {
      while (next < signIns) {
        next += 1
        const mobile = `137${String(next).padStart(8, '0')}`
        const began = performance.now()
        count(await signIn(server.url, `10.8.0.${(worker % addresses) + 1}`, mobile, codes.find))
        waits.push(performance.now() - began)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  const used = readCpu(server.pid) - cpu
  codes.stop()
  await server.stop()
  waits.sort((a, b) => a - b)
  const at = (share: number) => (waits[Math.floor(share * (waits.length - 1))] ?? 0) / 1000
  process.stdout.write(
    [
      `${signIns} sign-ins of ${students} students behind ${addresses} addresses in ${seconds.toFixed(0)} s`,
      ...[...answers].map(([answer, n]) => `  ${n} × ${answer}`),
      `  a sign-in of four calls: median ${at(0.5).toFixed(1)} s, 99 % within ${at(0.99).toFixed(1)} s`,
      `  processor time ${(used / signIns).toFixed(0)} ms each`,
      '',
    ].join('\n'),
  )
}

/** `signed in`, or the call that was refused with its status. */
async function signIn(
  url: string,
  address: string,
  mobile: string,
  findCode: (mobile: string) => Promise<string>,
): Promise<string> {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}/api${path}`, {
      ...init,
      headers: { ...init.headers, 'x-forwarded-for': address },
    })
    return { status: response.status, body: parseJson(await response.text()) as Answer }
  }
  const form = (values: Record<string, string>): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(values),
  })
  const picture = await call('/stuLogin/captcha', { method: 'POST' })
  const key = picture.body.data?.key
  if (key === undefined) return `captcha ${picture.status}`
  const verified = await call('/stuLogin/verify', form({ key, verifyTxt: captcha }))
  const ticket = verified.body.data?.ticket
  if (ticket === undefined) return `verify ${verified.status}`
  const sent = await call(`/stu/oauth/code?mobile=${mobile}&isType=1`, {
    headers: { 'x-captcha-ticket': ticket },
  })
  if (sent.status !== 200) return `code ${sent.status}: ${sent.body.msg}`
  const password = await findCode(mobile)
  const done = await call('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: mobile, password, grantType: 'stupc' }),
  })
  return done.status === 200 ? 'signed in' : `sign-in ${done.status}: ${done.body.msg}`
}

interface Answer {
  readonly msg: string
  readonly data?: { readonly key?: string; readonly ticket?: string } | null
}

/** Reads new messages of the outbox; codes by mobile. */
function followOutbox() {
  const found = new Map<string, string>()
  const path = join(dataDir, 'outbox', 'sms.jsonl')
  let [from, rest, isOver] = [0, '', false]
  const follow = async () => {
    while (!isOver) {
      try {
        for await (const chunk of createReadStream(path, { start: from })) {
          from += (chunk as Buffer).length
          rest += String(chunk)
        }
      } catch {
        // Nothing was sent yet.
      }
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const { mobile, params } = parseJson(line) as {
          mobile: string
          params: { code: string }
        }
        found.set(mobile, params.code)
      }
      await sleep(50)
    }
  }
  void follow()
  const find = async (mobile: string): Promise<string> => {
    for (let tries = 0; tries < 600; tries += 1) {
      const code = found.get(mobile)
      if (code !== undefined) return code
      await sleep(50)
    }
    return 'none'
  }
  return {
    find,
    stop: () => {
      isOver = true
    },
  }
}

/** Milliseconds of processor time of all threads of a process. */
export function readCpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // User and system time in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}
