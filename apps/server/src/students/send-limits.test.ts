import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../model/context.ts'
import { Refusal } from '../platform/refusal.ts'
import { readSettings } from '../platform/settings/settings.ts'
import type { Database } from '../platform/database/open-database.ts'
import { testDatabase } from '../../testing/database/database.ts'
import { quietLog } from '../../testing/quiet-log.ts'
import { countSend } from './send-limits.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const [second, hour] = [1_000, 3_600_000]
let clock = Date.UTC(2026, 0, 1)
const settings = readSettings({
  APP_ENV: 'test',
  CAMPUS_CIDRS: '10.8.0.0/16, 2001:db8::/32',
  SMS_DAILY_BUDGET: '1000',
})
function sendForRefusal(mobile: string, ip: string, tenant = '10000'): Promise<Refusal | null> {
  return countSend(
    { database, settings, ip, log: quietLog, now: () => new Date(clock) } as unknown as Context,
    tenant,
    mobile,
  ).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error
      throw error
    },
  )
}
const sendForStatus = async (...of: Parameters<typeof sendForRefusal>) =>
  (await sendForRefusal(...of))?.status ?? 200
const seedLimit = (key: string, made: number) =>
  database.kysely
    .insertInto('sys.rate_limit')
    .values({ key, window_start: new Date(clock), count: made })
    .execute()
/** Sends to `mobiles` numbers in each of `seedLimit` rounds a minute apart; returns the number sent. */
async function rounds(count: number, mobiles: number, ip: string, prefix: string): Promise<number> {
  let sent = 0
  for (let round = 0; round < count; round += 1) {
    clock += 61 * second
    for (let i = 0; i < mobiles; i += 1)
      if ((await sendForStatus(`${prefix}${String(i).padStart(8, '0')}`, ip)) === 200) sent += 1
  }
  return sent
}

describe('messages from one address', () => {
  it('are limited to 60 an hour, 300 a day and 20 numbers an hour', async () => {
    expect(await rounds(4, 20, '198.51.100.1', '131')).toBe(60)
    expect(await sendForStatus('13200000000', '198.51.100.1')).toBe(429)
    expect(await sendForStatus('13200000001', '198.51.100.2')).toBe(200)
    clock += hour
    await database.kysely
      .updateTable('sys.rate_limit')
      .set({ count: 298 })
      .where('key', '=', 'smsAddress:198.51.100.1:86400000')
      .execute() // as after four more hours of 60 messages
    expect(await rounds(1, 4, '198.51.100.1', '134')).toBe(2)
    clock += 25 * hour
    expect(await rounds(1, 21, '198.51.100.1', '139')).toBe(20)
  })
  it('have ten times the limit from a campus, and are counted per /64 network with IPv6', async () => {
    clock += 25 * hour
    expect(await rounds(1, 40, '10.8.3.4', '151')).toBe(40)
    expect(await rounds(1, 11, '2001:db9:0:1::1', '152')).toBe(11)
    expect(await rounds(1, 11, '2001:db9:0:1:ffff::2', '153')).toBe(9)
    expect(await rounds(1, 11, '2001:db9:0:2::1', '154')).toBe(11)
  })
  it('are limited for the network of the address too, and say when to come again', async () => {
    clock += 25 * hour
    await seedLimit('smsAddress:192.0.2.0/24:3600000', 238)
    expect(await sendForStatus('15500000001', '192.0.2.1')).toBe(200)
    expect(await sendForStatus('15500000002', '192.0.2.2')).toBe(200)
    clock += 600 * second
    const refused = await sendForRefusal('15500000003', '192.0.2.3')
    expect([refused?.status, refused?.text, refused?.retryAfter]).toEqual([
      429,
      { key: 'student.codeTooManyMinutes', params: { minutes: 50 } },
      3000,
    ])
    expect(await sendForStatus('15500000009', '192.0.3.3')).toBe(200)
    await seedLimit('smsAddress:2001:db9:5:ab00::/56:86400000', 1200)
    const next = await sendForRefusal('15500000004', '2001:db9:5:abcd::1')
    expect(next?.text).toEqual({ key: 'student.codeTooManyHours', params: { hours: 24 } })
  })
  it('have the limits that a school sets', async () => {
    clock += 25 * hour
    const set = (code: string, value: string) =>
      database.kysely
        .updateTable('sys.param')
        .set({ value })
        .where('tenant_id', '=', '10000')
        .where('code', '=', code)
        .returning('code')
        .executeTakeFirstOrThrow()
    await database.kysely
      .insertInto('sys.param')
      .values(
        ['SMS_MOBILE_DAY', 'SMS_ADDRESS_DAY', 'SMS_SCHOOL_DAY'].map((code, at) => ({
          id: String(at + 1),
          tenant_id: '10000',
          code,
          name: code,
          value: '',
        })),
      )
      .execute()
    await set('SMS_MOBILE_DAY', '3')
    const sent: number[] = []
    for (let n = 0; n < 4; n += 1) {
      sent.push(await sendForStatus('15600000001', `203.0.113.${n}`))
      clock += 61 * second
    }
    expect(sent).toEqual([200, 200, 200, 429])
    await set('SMS_ADDRESS_DAY', '20')
    expect(await rounds(1, 6, '198.51.101.1', '157')).toBe(4)
    await set('SMS_SCHOOL_DAY', '50')
    await database.kysely
      .updateTable('sys.rate_limit')
      .set({ count: 49, window_start: new Date(clock - 20 * hour) })
      .where('key', '=', 'smsTenant:10000')
      .execute()
    expect(await sendForStatus('15800000001', '198.51.102.1')).toBe(200)
    const refused = await sendForRefusal('15800000002', '198.51.102.2')
    expect([refused?.status, refused?.text]).toEqual([
      503,
      { key: 'student.codeBudget', params: { hours: 4 } },
    ])
  })
  it('to one number are counted per tenant', async () => {
    clock += 25 * hour
    expect([
      await sendForStatus('13100000001', '203.0.113.1'),
      await sendForStatus('13100000001', '203.0.113.2'),
      await sendForStatus('13100000001', '203.0.113.3', '10001'),
    ]).toEqual([200, 429, 200])
  })
})
