import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../context.ts'
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
function send(mobile: string, ip: string, tenant = '10000') {
  return countSend(
    { database, settings, ip, log: quietLog, now: () => new Date(clock) } as unknown as Context,
    tenant,
    mobile,
  ).then(
    () => 200,
    (error: unknown) => {
      if (error instanceof Refusal) return error.status
      throw error
    },
  )
}
/** Sends to `mobiles` numbers in each of `count` rounds a minute apart; returns the number sent. */
async function rounds(count: number, mobiles: number, ip: string, prefix: string): Promise<number> {
  let sent = 0
  for (let round = 0; round < count; round += 1) {
    clock += 61 * second
    for (let i = 0; i < mobiles; i += 1)
      if ((await send(`${prefix}${String(i).padStart(8, '0')}`, ip)) === 200) sent += 1
  }
  return sent
}

describe('messages from one address', () => {
  it('are limited to 60 an hour, 300 a day and 20 numbers an hour', async () => {
    expect(await rounds(4, 20, '198.51.100.1', '131')).toBe(60)
    expect(await send('13200000000', '198.51.100.1')).toBe(429)
    expect(await send('13200000001', '198.51.100.2')).toBe(200)
    clock += hour
    await database.kysely
      .updateTable('sys.rate_limit')
      .set({ count: 298 })
      .where('key', '=', 'smsAddress:198.51.100.1:86400000')
      .execute() // as after four more hours of 60 messages
    expect(await rounds(1, 4, '198.51.100.1', '134')).toBe(2)
    clock += 25 * hour
    expect(await rounds(1, 21, '198.51.100.1', '139')).toBe(20)
  }, 60_000)
  it('have ten times the limit from a campus, and are counted per /64 network with IPv6', async () => {
    clock += 25 * hour
    expect(await rounds(1, 40, '10.8.3.4', '151')).toBe(40)
    expect(await rounds(1, 11, '2001:db9:0:1::1', '152')).toBe(11)
    expect(await rounds(1, 11, '2001:db9:0:1:ffff::2', '153')).toBe(9)
    expect(await rounds(1, 11, '2001:db9:0:2::1', '154')).toBe(11)
  }, 60_000)
  it('to one number are counted per tenant', async () => {
    clock += 25 * hour
    expect([
      await send('13100000001', '203.0.113.1'),
      await send('13100000001', '203.0.113.2'),
      await send('13100000001', '203.0.113.3', '10001'),
    ]).toEqual([200, 429, 200])
  })
})
