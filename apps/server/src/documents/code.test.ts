import { readDocumentCode } from '@jiaowu/api/document-code'
import { expect, it } from 'vitest'
import { likelyFirst, newCode } from './code.ts'

it('keeps the printed form, and bears the mark of its school', () => {
  const code = newCode('10001')
  expect(readDocumentCode(code)).toBe(code)
  expect(newCode('10001')).not.toBe(code)
  expect(newCode('10001').slice(0, 2)).toBe(code.slice(0, 2))
  const schools = Array.from({ length: 500 }, (_, i) => String(10_000 + i))
  const order = likelyFirst(code, schools)
  expect(order.toSorted()).toEqual(schools)
  expect(order.indexOf('10001')).toBeLessThan(10)
})
