import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listAnchors, listCitations, listLinks } from './citations.ts'

const root = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(root, name)))
const readRepositoryFile = (name: string) => readFileSync(join(root, name), 'utf8')
const code = files.filter(
  (name) => /\.(ts|tsx|mts|mjs|js|css)$/.test(name) && !name.startsWith('tests/rules/'),
)
const pages = files.filter((name) => name.endsWith('.md'))
const anchors = new Map(pages.map((name) => [name, listAnchors(readRepositoryFile(name))]))

function isUnresolved(page: string, anchor: string): boolean {
  const known = anchors.get(page)
  return known === undefined || (anchor !== '' && !known.has(anchor))
}

describe('citations in code', () => {
  it('name a page and a heading that exist', () => {
    const broken = code.flatMap((name) =>
      listCitations(readRepositoryFile(name))
        .filter(({ page, anchor }) => isUnresolved(page, anchor))
        .map(({ page, anchor, line }) => `${name}:${line} ${page} ${anchor}`),
    )
    expect(broken).toEqual([])
  })

  it('use the path of the page, not a short name of it', () => {
    const short =
      /\b(?:security|contract|demand|(?:console|student) spec|spec [12]|db\.md|xstate\.md) ?(?:§ ?\d|row \d|[A-Z]\d)/i
    const found = code.flatMap((name) =>
      readRepositoryFile(name)
        .split('\n')
        .flatMap((line, index) =>
          short.test(line) ? [`${name}:${index + 1} ${line.trim()}`] : [],
        ),
    )
    expect(found).toEqual([])
  })

  it('are found at all', () => {
    expect(code.flatMap((name) => listCitations(readRepositoryFile(name))).length).toBeGreaterThan(
      100,
    )
  })
})

describe('links in documentation', () => {
  it('lead to files and headings that exist', () => {
    const broken = pages.flatMap((name) =>
      listLinks(readRepositoryFile(name))
        .filter(({ target, anchor }) => {
          const path = target === '' ? name : normalize(join(dirname(name), target))
          if (!existsSync(join(root, path))) return true
          return anchor !== '' && path.endsWith('.md') && isUnresolved(path, anchor)
        })
        .map(({ target, anchor }) => `${name}: ${target}#${anchor}`),
    )
    expect(broken).toEqual([])
  })
})

describe('the reader of citations', () => {
  it('splits lists and ranges, and reads section numbers', () => {
    expect(
      listCitations('// a (docs/rules/x.md#a1, #b2), docs/spec/1-y.md §4, docs/z.md').map(
        ({ page, anchor }) => `${page} ${anchor}`,
      ),
    ).toEqual(['docs/rules/x.md a1', 'docs/rules/x.md b2', 'docs/spec/1-y.md 4', 'docs/z.md '])
  })

  it('makes the anchors of headings', () => {
    expect([...listAnchors('# Entity data\n### I3\n## 9. Limits and more')]).toEqual([
      'entity-data',
      'i3',
      '9-limits-and-more',
      '9',
    ])
  })
})
