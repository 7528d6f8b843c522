import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { watchedEnvironment } from '../../apps/server/testing/statements/offences.ts'
import { nodeFlags } from '../support/node-flags.ts'

// Moments are fixed; ROUNDS=50 asks for more.
const rounds = Number(process.env.ROUNDS ?? 2)
const orders = 12 + rounds * 6
const child = join(import.meta.dirname, '..', 'support', 'documents', 'documents-child.ts')
let dataDir = ''
let running: ChildProcess | null = null
afterAll(async () => {
  running?.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs until it is done, or until `lines` documents are acknowledged and `after` more milliseconds are over. */
async function run(
  round: number,
  mode: 'issue' | 'read',
  kill: { lines: number; after: number } | null,
  onLine: (order: string, number: string, sha256: string) => void,
): Promise<boolean> {
  const server = spawn(
    process.execPath,
    [...nodeFlags, child, dataDir, String(round), mode, String(orders)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...watchedEnvironment() },
    },
  )
  running = server
  const ended = new Promise<void>((resolve) => {
    server.once('exit', () => resolve())
  })
  let [seen, done] = [0, false]
  for await (const text of createInterface({ input: server.stdout })) {
    if (text === 'done') done = true
    const [order, number, sha256] = text.split(' ')
    if (order === undefined || number === undefined || sha256 === undefined) continue
    onLine(order, number, sha256)
    seen += 1
    if (seen === kill?.lines) setTimeout(() => server.kill('SIGKILL'), kill.after)
  }
  await ended
  return done
}

it(
  'gives every order the same bytes after kill -9 while drawing, storing and recording',
  async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-documents-'))
    const digests = new Map<string, string>()
    const numbers = new Map<string, string>()
    const note = (order: string, number: string, sha256: string) => {
      expect(digests.get(order) ?? sha256).toBe(sha256)
      expect(numbers.get(order) ?? number).toBe(number)
      digests.set(order, sha256)
      numbers.set(order, number)
    }
    for (let round = 0; round < rounds; round += 1)
      await run(round, 'issue', { lines: 2 + round * 5, after: (round * 37) % 120 }, note)
    const acknowledged = digests.size
    expect(await run(rounds, 'read', null, note)).toBe(true)
    expect(digests.size).toBe(orders)
    expect(new Set(numbers.values()).size).toBe(orders)
    const folder = join(dataDir, 'documents', '10000')
    for (const sha256 of digests.values())
      expect(
        createHash('sha256')
          .update(await readFile(join(folder, `${sha256}.pdf`)))
          .digest('hex'),
      ).toBe(sha256)
    console.log(
      `${rounds} kills: ${acknowledged} of ${orders} documents were acknowledged before the last start; ${(await readdir(folder)).filter((name) => name.endsWith('.part')).length} unfinished files left`,
    )
  },
  120_000 + rounds * 60_000,
)
