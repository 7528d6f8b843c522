import { expect, it } from 'vitest'
import { cutText } from './cut-text.ts'

it.each([
  ['王芳', 2, '王芳'],
  ['王芳', 1, '王'],
  ['𠮷田', 1, '𠮷'],
  ['𠮷田', 2, '𠮷田'],
  ['e\u0301a', 1, ''],
  ['e\u0301a', 2, 'e\u0301'],
  ['a👨‍👩‍👧b', 5, 'a'],
  ['a👨‍👩‍👧b', 6, 'a👨‍👩‍👧'],
  ['🇨🇳🇨🇳', 3, '🇨🇳'],
  ['', 0, ''],
])('%j cut to %d code points is %j', (text, most, cut) => {
  expect(cutText(text, most)).toBe(cut)
})

it('counts UTF-16 units where a spreadsheet does', () => {
  expect(cutText('𠮷田', 2, { unit: 'utf16' })).toBe('𠮷')
  expect(cutText('𠮷田', 1, { unit: 'utf16' })).toBe('')
})

it('marks only a text that is cut', () => {
  expect(cutText('𠮷田', 2, { mark: '…' })).toBe('𠮷田')
  expect(cutText('𠮷田中', 2, { mark: '…' })).toBe('𠮷田…')
})
