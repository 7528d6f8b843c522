import { expect, it } from 'vitest'
import { createKeys, isSealed, KeyError, readKeyId } from './keys.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const [idNumber, place] = ['11010519491231002X', 'biz.student.id_card'] as const

it('opens what it sealed, and seals the same text differently each time', () => {
  const keys = createKeys([first])
  const sealed = keys.seal(place, idNumber)
  expect(isSealed(sealed)).toBe(true)
  expect(sealed).not.toContain(idNumber)
  expect(keys.seal(place, idNumber)).not.toBe(sealed)
  expect(keys.open(place, sealed)).toBe(idNumber)
})

it('gives equal texts equal indexes, by key and column, whatever the case of X', () => {
  const keys = createKeys([first])
  expect(keys.blind(place, ' 11010519491231002x ')).toBe(keys.blind(place, idNumber))
  expect(keys.blind('biz.teacher.id_card', idNumber)).not.toBe(keys.blind(place, idNumber))
  expect(createKeys([second]).blind(place, idNumber)).not.toBe(keys.blind(place, idNumber))
})

it('writes with the first key and reads with all', () => {
  const old = createKeys([first])
  const rotated = createKeys([second, first])
  expect(rotated.open(place, old.seal(place, idNumber))).toBe(idNumber)
  expect(readKeyId(rotated.seal(place, idNumber))).toBe(rotated.current)
})

it('refuses another key, another column and a changed value', () => {
  const keys = createKeys([first])
  const sealed = keys.seal(place, idNumber)
  expect(() => createKeys([second]).open(place, sealed)).toThrow(KeyError)
  expect(() => keys.open('biz.teacher.id_card', sealed)).toThrow(KeyError)
  const [prefix, id, body = ''] = sealed.split(':')
  const changed = `${prefix}:${id}:${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`
  expect(() => keys.open(place, changed)).toThrow(KeyError)
})
