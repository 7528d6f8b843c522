import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const starters = ['apps/cli/bin/jiaowu.js', 'scripts/start.js']
const folder = mkdtempSync(join(tmpdir(), 'jiaowu-node-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(starters)('%s', (starter) => {
  it.each(['v10.24.1', 'v20.20.2', 'v22.11.0'])(
    'reports Node %s in one line and exits with 2',
    (version) => {
      const { status, stdout, stderr } = runAs(version, starter)
      expect([status, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^\S+ .*needs Node\.js 22\.\d+ or later, this is v[\d.]+\.\n$/)
      expect(stderr).toContain(version)
    },
  )
  it('parses as a script, as Nodes without modules read it', () => {
    const text = readFileSync(join(root, starter), 'utf8').replace(/^#!.*/, '')
    expect(() => new Script(text)).not.toThrow()
    expect(text).not.toMatch(/^(import|export) |\bawait\b|=>|`|\b(const|let)\b/m)
  })
})

it('jiaowu accepts the oldest Node that package.json allows', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    engines: { node: string }
  }
  expect(readFileSync(join(root, 'apps/cli/bin/jiaowu.js'), 'utf8')).toContain(
    `required = [${engines.node.replace('>=', '').split('.').slice(0, 2).join(', ')}]`,
  )
})

/** Runs a starter with the reported version of Node replaced. */
function runAs(version: string, starter: string) {
  const preload = join(folder, `${version}.cjs`)
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'version', { value: '${version}' })
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version.slice(1)}' } })
`,
  )
  return spawnSync(process.execPath, ['--require', preload, join(root, starter), '--version'], {
    encoding: 'utf8',
  })
}
