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
