import { describe, expect, it } from 'vitest'
import { printedDocumentCode, readDocumentCode } from './document-code.ts'

describe('a verification code', () => {
  it('is read in any spelling', () => {
    for (const typed of [
      '7K3M9XQ2VB80HDTE',
      '7k3m-9xq2-vb80-hdte',
      ' 7K3M 9XQ2 VB8O HDTE ',
      '7K3M-9XQ2-VB8o-HDTE',
    ])
      expect(readDocumentCode(typed)).toBe('7K3M9XQ2VB80HDTE')
    expect(readDocumentCode('iiii-llll-oooo-1111')).toBe('1111111100001111')
  })
  it('is refused when it is malformed', () => {
    for (const typed of [
      '',
      '7K3M',
      '7K3M9XQ2VB80HDTU',
      '7K3M9XQ2VB80HDT中',
      `${'7K3M9XQ2VB80HDTE'}0`,
      '<script>alert(1)',
      ' '.repeat(1_000_000),
    ])
      expect(readDocumentCode(typed)).toBeNull()
  })
  it('is printed in groups of four', () => {
    expect(printedDocumentCode('7K3M9XQ2VB80HDTE')).toBe('7K3M-9XQ2-VB80-HDTE')
    expect(readDocumentCode(printedDocumentCode('7K3M9XQ2VB80HDTE'))).toBe('7K3M9XQ2VB80HDTE')
  })
})
