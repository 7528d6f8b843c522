import { describe, expect, it } from 'vitest'
import { messageText } from '../texts/index.ts'
import { buildNoChoice } from './no-choice.ts'

const faculties = [
  { id: '1', name: '信息工程学院' },
  { id: '2', name: '法学院' },
]

describe('a word that is no choice', () => {
  it('is refused with the choices', () => {
    expect(messageText('zh-CN', buildNoChoice('院系', 'abc', faculties))).toBe(
      '「院系」没有选项“abc”，可选：信息工程学院(1) 法学院(2)',
    )
  })
  it('is refused with the choice that shares most of its characters', () => {
    expect(buildNoChoice('院系', '信息学院', faculties).params).toMatchObject({
      meant: '信息工程学院',
    })
  })
  it('names no more than twenty choices, and no ids without a name', () => {
    const many = Array.from({ length: 30 }, (_none, n) => ({ id: `${n}`, name: `${n}` }))
    expect(buildNoChoice('数', 'x', many).params?.['choices']).toMatch(/^0 1 .* 19 …$/)
    expect(buildNoChoice('数', 'x', [{ id: '1', name: '' }]).key).toBe('entity.noChoice')
  })
})
