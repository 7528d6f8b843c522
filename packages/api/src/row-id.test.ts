import { expect, it } from 'vitest'
import { decodeRowId, encodeRowId, joinRowIds, splitRowIds } from './row-id.ts'

it('encodes the values of a key of several columns', () => {
  expect(encodeRowId(['11077', '4'])).toBe('11077~4')
  expect(encodeRowId(['a~b', 'c,d/e f', '张%'])).toBe('a%7Eb~c%2Cd%2Fe%20f~%E5%BC%A0%25')
  expect(encodeRowId(["it's (*)!", 'x'])).toBe('it%27s%20%28%2A%29%21~x')
})

it('leaves a single value as it is', () => {
  expect(encodeRowId(['a~b, c'])).toBe('a~b, c')
  expect(decodeRowId('a~b, c', 1)).toEqual(['a~b, c'])
})

it('reads what it has written, and nothing else', () => {
  for (const values of [
    ['1', '2'],
    ['', 'x'],
    ['~%,/ ', '甲', 'é'],
  ])
    expect(decodeRowId(encodeRowId(values), values.length)).toEqual(values)
  expect(decodeRowId('1~2~3', 2)).toBeNull()
  expect(decodeRowId('100%~2', 2)).toEqual(['100%', '2'])
})

it('joins ids for a path and splits them', () => {
  const ids = ['a,b', 'c/d', '11077~4', 'e%2Cf~1']
  expect(joinRowIds(ids)).toBe('a%2Cb,c%2Fd,11077~4,e%252Cf~1')
  expect(splitRowIds(joinRowIds(ids))).toEqual(ids)
  expect(splitRowIds('1, 2,,2')).toEqual(['1', '2'])
  expect(splitRowIds('1~B%2C%7E,2~C', 2)).toEqual(['1~B%2C%7E', '2~C'])
  expect(splitRowIds('1~B%252C%257E', 2)).toEqual(['1~B%2C%7E'])
})
