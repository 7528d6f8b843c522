import { expect, it } from 'vitest'
import { fillTitle, titleNames, titleParts } from './title.ts'

it('a title pattern names fields, and everything else in it is text', () => {
  expect(titleParts('{first} {last} ({no})')).toEqual([
    { attrName: 'first' },
    ' ',
    { attrName: 'last' },
    ' (',
    { attrName: 'no' },
    ')',
  ])
  expect(titleNames('{first}{} {1x}{last}')).toEqual(['first', 'last'])
})
it('is trimmed, and empty where no field has a text', () => {
  const parts = titleParts('{first} {last}')
  const fill = (texts: Record<string, string>) => fillTitle(parts, (name) => texts[name] ?? '')
  expect([fill({ first: 'Ann', last: 'Lee' }), fill({ last: 'Lee' }), fill({})]).toEqual([
    'Ann Lee',
    'Lee',
    '',
  ])
  expect(fillTitle(titleParts('no. {no}'), () => '')).toBe('')
})

it('an empty field takes the separator beside it along, and no other text', () => {
  const parts = titleParts('{student} {no} · {course}')
  const filled = (values: Readonly<Record<string, string>>) =>
    fillTitle(parts, (attrName) => values[attrName] ?? '')
  expect(filled({ student: '姚霞', no: '2022010000', course: '高等数学A' })).toBe(
    '姚霞 2022010000 · 高等数学A',
  )
  expect(filled({ student: '姚霞', course: '高等数学A' })).toBe('姚霞 · 高等数学A')
  expect(filled({ student: '姚霞', no: '2022010000' })).toBe('姚霞 2022010000')
  expect(filled({ course: '高等数学A' })).toBe('高等数学A')
  expect(fillTitle(titleParts('{name} ({no})'), (name) => (name === 'no' ? '' : 'Ann'))).toBe(
    'Ann ()',
  )
})
