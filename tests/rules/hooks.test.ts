import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** Vitest runs its set-up files again for each test file. */
const setupFiles = /setupFiles: \['([^']+)'\]/u.exec(
  readFileSync(join(root, 'vitest.config.ts'), 'utf8'),
)
const hook = /^(?:beforeAll|beforeEach|afterAll|afterEach)\(/mu

describe('hooks of tests', () => {
  it('are registered by a test file or a function that it calls, not by an import', () => {
    // Test files of one worker share their modules: hooks of an import serve the first file only.
    const found = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((name) => name !== '' && !/\.(?:test|walk|run)\.tsx?$/u.test(name))
      .filter((name) => name !== setupFiles?.[1])
      .filter((name) => existsSync(join(root, name)))
      .filter((name) => hook.test(readFileSync(join(root, name), 'utf8')))
    expect(found).toEqual([])
  })

  it('are found at the start of a line', () => {
    expect(hook.test('const a = 1\nafterAll(() => stop())')).toBe(true)
    expect(hook.test('export function use() {\n  afterAll(stop)\n}')).toBe(false)
  })
})
