import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { longLines } from './line-length.ts'

const root = join(import.meta.dirname, '../..')
const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.js'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(root, name)))

describe('lines of code', () => {
  it('have at most 120 columns, outside texts', () => {
    const found = files.flatMap((name) =>
      longLines(readFileSync(join(root, name), 'utf8')).map(
        ({ line, text }) => `${name}:${line} ${text.trim()}`,
      ),
    )
    expect(found).toEqual([])
  })

  it.each([
    ['a comment', `// ${'word '.repeat(30)}`, 1],
    ['an expression', `const sum = ${'first + '.repeat(20)}last`, 1],
    ['a comment after code', `const one = 1 ${' '.repeat(60)}// ${'word '.repeat(20)}`, 1],
    ['a string', `const text = '${'word '.repeat(30)}'`, 0],
    ['a template of several lines', `const text = \`\n${'word '.repeat(30)}\n\``, 0],
    ['a regular expression', `const shape = /${'word|'.repeat(30)}/u`, 0],
  ])('are judged: %s', (_name, source, count) => {
    expect(longLines(source)).toHaveLength(count)
  })
})
