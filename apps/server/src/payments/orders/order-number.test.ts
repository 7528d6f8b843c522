import { expect, it } from 'vitest'
import { newOrderNo, schoolInNumber } from './order-number.ts'

it('names the school, also in the numbers of its refunds', () => {
  const number = newOrderNo('10000', '388001712640294912')
  expect(number).toBe('JW7PSx388001712640294912')
  expect(schoolInNumber(number)).toBe('10000')
  expect(schoolInNumber(`${number}R2`)).toBe('10000')
})

it('stays within what the provider takes, without the school if need be', () => {
  const number = newOrderNo('9223372036854775807', '9223372036854775807')
  expect(number).toBe('JW9223372036854775807')
  expect(schoolInNumber(number)).toBeNull()
})

it('finds no school in numbers from before they named it, or in other texts', () => {
  for (const text of [
    'JW388001712640294912',
    'JW388001712640294912R1',
    'JWx1',
    'x',
    '',
    'JWZZZZZZZZZZZZZx1',
  ])
    expect(schoolInNumber(text)).toBeNull()
})
