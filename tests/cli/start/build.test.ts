import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale, main } from '../../../apps/cli/bin/build.js'

test('a build started by a test run is a production build', async () => {
  buildIfStale()
  const folder = join(main, '..')
  const chunks = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(chunks.map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.some((text) => text.includes('react/jsx-runtime'))).toBe(true)
  expect(texts.filter((text) => text.includes('jsx-dev-runtime'))).toEqual([])
})

test('an archive of the command runs without the repository', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-packed-'))
  try {
    const root = join(import.meta.dirname, '..', '..', '..')
    const file = join(folder, 'terminal.tgz')
    const said = execFileSync(process.execPath, ['scripts/pack-terminal.ts', file], { cwd: root })
    expect(said.toString()).toMatch(/^[\da-f]{64} /)
    execFileSync('tar', ['-xzf', file, '-C', folder])
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(folder, 'jiaowu', 'bin', 'jiaowu.js'), ...args], {
        cwd: folder,
        env: { ...process.env, XDG_CONFIG_HOME: folder },
      }).toString()
    expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
    // The filter and the screens come from the packages in the archive.
    expect(run('machine', 'ls', '--jq', '.name')).toContain('download\n')
    const packed = await readdir(join(folder, 'jiaowu', 'node_modules'))
    expect(packed).toEqual(expect.arrayContaining(['ink', 'jq-wasm', 'qrcode', 'react']))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)
