import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { countDamaged, noteDamage } from './damage.ts'

function databaseError(code: string, message: string) {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })
}

it('tells each relation that cannot be read once, and nothing else', () => {
  const error = vi.fn()
  const log = { error }
  noteDamage(log, databaseError('23505', 'duplicate key value violates unique constraint "x"'))
  noteDamage(log, new Error('invalid page in block 0 of relation base/5/1'))
  expect(countDamaged()).toBe(0)
  const page = databaseError('XX001', 'invalid page in block 0 of relation base/5/16384')
  noteDamage(log, page)
  noteDamage(log, page)
  noteDamage(log, databaseError('XX002', 'index "grade_pkey" contains unexpected zero page'))
  noteDamage(log, databaseError('58P01', 'could not open file "base/5/16400": No such file'))
  expect(countDamaged()).toBe(3)
  expect(error.mock.calls.map(([{ relation }]) => relation as string)).toEqual([
    'base/5/16384',
    'grade_pkey',
    'base/5/16400',
  ])
})
