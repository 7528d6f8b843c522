import { expect, it } from 'vitest'
import { listParagraphSources, splitParagraph } from './paragraph.ts'

it('tells texts from expressions, and a brace without its pair', () => {
  expect(splitParagraph('{row.student.name}同学：')).toEqual([
    { source: 'row.student.name' },
    '同学：',
  ])
  expect(splitParagraph('特此通知。')).toEqual(['特此通知。'])
  expect(splitParagraph('{row.name')).toBeNull()
  expect(splitParagraph('row.name}')).toBeNull()
})

it('lists what all documents read', () => {
  const title = { zh: '通知', en: 'Notice' }
  const documents = {
    A: { title, language: 'zh' as const, paragraphs: ['{row.a}和{row.b}', '完'] },
    B: { title, language: 'zh' as const, paragraphs: ['{row.c'] },
  }
  expect(listParagraphSources(documents)).toEqual(['row.a', 'row.b'])
})
