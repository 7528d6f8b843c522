import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { texts } from '@jiaowu/api/texts/index'
import { coverageRows, listMessages, listStatements } from './statements.ts'

const root = join(import.meta.dirname, '../..')
const readSpecification = (name: string) => readFileSync(join(root, 'docs/spec', name), 'utf8')
// Checksums of the specifications: they are not edited to match the implementation.
const specifications = [
  {
    number: 1,
    name: '1-entity-console.md',
    sha256: '614e07a94dd906b5cf45f9ed5ae947b3a62c2ccbd36e9c0943d21935def5f819',
  },
  {
    number: 2,
    name: '2-student-service-and-designer.md',
    sha256: '28ab02d4f9e30f417177b4118a16dc0a76a2056b0927fcfae9d69d28c0fe0c91',
  },
]
const rows = coverageRows(readSpecification('coverage.md'))
const statements = specifications.flatMap(({ name, number }) =>
  listStatements(readSpecification(name), number),
)
const stripMarkup = (text: string) => text.replaceAll('**', '').replace(/ …$/, '')
const wording: Readonly<Record<string, readonly [zh: string, en: string]>> = texts

describe('the specifications', () => {
  it.each(specifications)('$name is unchanged', ({ name, sha256 }) => {
    expect(createHash('sha256').update(readSpecification(name)).digest('hex')).toBe(sha256)
  })
})

describe('docs/spec/coverage.md', () => {
  it('has one row for each statement, in order', () => {
    expect(rows.map(({ id }) => id).filter((id) => id !== '–')).toEqual(
      statements.map(({ id }) => id),
    )
  })
  it('quotes the beginning of each statement', () => {
    const wrong = statements.filter(({ id, text }) => {
      const words = rows.find((row) => row.id === id)?.words ?? ''
      return words === '' || !stripMarkup(text).startsWith(stripMarkup(words))
    })
    expect(wrong).toEqual([])
  })
  it('names texts that say what their statements quote', () => {
    const rowsWithTexts = rows.filter((row) => row.texts.length > 0)
    expect(rowsWithTexts.length).toBeGreaterThan(30)
    const wrong = rowsWithTexts.flatMap(({ id, texts: keys }) => {
      const messages = statements.filter((each) => each.id === id).flatMap(listMessages)
      const said = keys.map((key) => splitWords(readEnglish(key)))
      const unsaid = messages.filter(
        (message) =>
          !said.some((words) => splitWords(message).every((each) => words.includes(each))),
      )
      return [
        ...unsaid.map((message) => `${id}: no text says ${message}`),
        ...(messages.length < keys.length ? [`${id}: more texts than messages`] : []),
      ]
    })
    expect(wrong).toEqual([])
  })
  it('names existing files', () => {
    expect(
      rows.flatMap(({ id, words, where, tests }) =>
        [...where, ...tests]
          .filter((path) => !existsSync(join(root, path)) || !statSync(join(root, path)).isFile())
          .map((path) => `${id} ${words}: ${path}`),
      ),
    ).toEqual([])
  })
  it('names code and a test for each statement, except those about the document itself', () => {
    expect(
      rows
        .filter(({ where, tests }) => where.length === 0 || tests.length === 0)
        .map(({ id }) => id),
    ).toEqual(['1.0.3', '1.0.4', '2.0.3', '2.0.4'])
    expect(
      rows.flatMap(({ id, tests }) =>
        tests.filter((path) => !/\.test\.tsx?$/.test(path)).map((path) => `${id} ${path}`),
      ),
    ).toEqual([])
  })
})

/** The English text; nothing for a key that does not exist, or has no Chinese one. */
function readEnglish(key: string): string {
  const [zh, en] = wording[key] ?? ['', '']
  return zh === '' ? '' : en
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
