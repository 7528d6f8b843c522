import { expect, test } from 'vitest'
import { decodedAs, encodingLabel } from './reading.ts'
import { transferStage } from './stages.ts'

const guessed = { encoding: { name: 'gb18030', isGuess: true } } as const
const broken = { encoding: { name: 'gb18030', isGuess: true, isBroken: true } } as const

test('a guess is named as one', () => {
  expect(encodingLabel('en', guessed, 'gb18030')).toBe(
    'Simplified Chinese (GB18030, GBK) (a guess)',
  )
  expect(encodingLabel('zh-CN', guessed, 'utf-8')).toBe('UTF-8')
})

test('the encoding that was found is only chosen where it does not fit', () => {
  expect(decodedAs(guessed, 'gb18030')).toBe(null)
  expect(decodedAs(guessed, 'big5')).toEqual({ encoding: 'big5' })
  expect(decodedAs(broken, 'gb18030')).toEqual({ encoding: 'gb18030' })
  expect(decodedAs({ encoding: null }, 'utf-8')).toBe(null)
})

test('a transfer never goes back a stage on its way', () => {
  const way = ['choosing', 'uploading', 'checking', 'reviewing', 'sending', 'running', 'done']
  expect(way.map((step) => transferStage(step as 'done'))).toEqual([0, 0, 1, 2, 2, 3, 4])
})
