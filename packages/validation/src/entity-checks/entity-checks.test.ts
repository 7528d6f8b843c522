import { messageText, texts } from '@jiaowu/api/texts/index'
import { describe, expect, it } from 'vitest'
import { corpus, corpusContext, soundBook } from './corpus.ts'
import { checkIds, entityChecks, parseEntity, unknownContext } from './index.ts'

function listFindingIds(input: unknown, context = corpusContext) {
  return [...new Set(parseEntity(input, context).findings.map(({ id }) => id))]
}

describe('checks of entity definitions', () => {
  it('find nothing in a valid definition, with or without a server', () => {
    expect(parseEntity(soundBook, corpusContext).findings).toEqual([])
    expect(parseEntity(soundBook, unknownContext).findings).toEqual([])
  })
  it('have unique ids, a text each, and a faulty definition each', () => {
    expect(new Set(checkIds).size).toBe(checkIds.length)
    expect(Object.keys(corpus).toSorted()).toEqual([...checkIds].toSorted())
    expect(
      Object.keys(texts)
        .filter((key) => /^entity\.E\d/.test(key))
        .toSorted(),
    ).toEqual([...checkIds].toSorted())
    expect(entityChecks.length).toBeGreaterThan(60)
  })
  it.each(Object.entries(corpus))('%s is found, and nothing else', (id, broken) => {
    expect(listFindingIds(broken)).toEqual([id])
  })
  it.each(Object.entries(corpus))(
    '%s says where and what, with no hole left open, in both languages',
    (_id, broken) => {
      for (const finding of parseEntity(broken, corpusContext).findings) {
        expect(finding.path).not.toBe('')
        for (const locale of ['zh-CN', 'en'] as const)
          expect(messageText(locale, finding.message)).not.toMatch(
            /\{(label|name|value|kind|most|length|operator|tag|table|reason|width|path|type|other)\}/,
          )
      }
    },
  )
  it('skip checks that need unknown context', () => {
    const needsWorld = [
      'entity.E002',
      'entity.E003',
      'entity.E007',
      'entity.E012',
      'entity.E013',
      'entity.E022',
      'entity.E026',
      'entity.E029',
      'entity.E032',
      'entity.E034',
      'entity.E035',
      'entity.E037',
      'entity.E038',
      'entity.E039',
      'entity.E044',
      'entity.E064',
      'entity.E068',
      'entity.E069',
      'entity.E066',
      'entity.E084',
      'entity.E099',
      'entity.E116',
      'entity.E117',
      'entity.E118',
      'entity.E119',
      'entity.E121',
      'entity.E122',
    ] as const
    for (const id of needsWorld)
      expect(listFindingIds(corpus[id], unknownContext)).not.toContain(id)
  })
})
