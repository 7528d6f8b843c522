import { describe, expect, it } from 'vitest'
import { listNames } from './names.ts'

describe('names of rows', () => {
  it('are all there up to five, in the signs of each language', () => {
    expect(listNames(['韩梦'])).toEqual(['韩梦', '韩梦'])
    expect(listNames(['韩梦', '姚霞'])).toEqual(['韩梦、姚霞', '韩梦, 姚霞'])
  })
  it('tell how many there are besides', () => {
    expect(listNames([...'甲乙丙丁戊己庚'])).toEqual([
      '甲、乙、丙、丁、戊 等 7 条',
      '甲, 乙, 丙, 丁, 戊 and 2 more',
    ])
    expect(listNames(['甲', '乙'], 300)).toEqual(['甲、乙 等 300 条', '甲, 乙 and 298 more'])
  })
})
