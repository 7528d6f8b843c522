import { expect, it } from 'vitest'
import { nearest } from './fold.ts'

const faculties = ['信息工程学院', '机械与动力学院', '数理学院', '外国语学院']

it('finds names that contain a word, are abbreviated by it, or differ by one letter', () => {
  for (const [word, name] of [
    ['信息工程', '信息工程学院'],
    ['信息工程学院（本部）', '信息工程学院'],
    ['信工学院', '信息工程学院'],
    ['外国语学院 ', '外国语学院'],
    ['外囯语学院', '外国语学院'],
  ] as const)
    expect(nearest(word, faculties)[0]).toBe(name)
})

it('finds nothing for a word that is like no name', () => {
  expect(nearest('他校', faculties)).toEqual([])
  expect(nearest(' ', faculties)).toEqual([])
})
