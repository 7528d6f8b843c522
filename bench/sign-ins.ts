// Forty people who sign in in the same moment, by password: how many are let in, after how long, and the processor time
// of one. `BENCH_BEFORE=CHECKOUT` measures another checkout as well.
import { join } from 'node:path'
import { readCpu } from './admission.ts'
import { folder, root, seed, startServer } from './place.ts'

const crowd = 40

export async function benchSignIns(): Promise<void> {
  const before = process.env['BENCH_BEFORE']
  const checkouts = before === undefined ? [root] : [before, root]
  for (const [index, checkout] of checkouts.entries()) {
    const data = join(folder, `sign-ins-${index}`)
    seed(100, checkout, data)
    process.stdout.write(`${checkout}\n${await measure(checkout, data)}\n`)
  }
}

async function measure(checkout: string, data: string): Promise<string> {
  const server = await startServer({ APP_ENV: 'test', DEMO: '0', DATA_DIR: data }, checkout)
  const names = Array.from({ length: crowd }, (_none, at) => `teacher${at}`)
  const imported = readCpu(server.pid)
  const made = await server.api.account.createMany({
    body: { accounts: names.map((name) => ({ account: name, name })) },
  })
  const importCpu = (readCpu(server.pid) - imported) / crowd
  const cpu = readCpu(server.pid)
  const started = performance.now()
  const tries = await Promise.all(
    made.map(async ({ account, password }) => {
      const response = await fetch(`${server.url}/api/authority/anno/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'password',
          username: account,
          password: password ?? '',
        }),
      })
      await response.text()
      return { status: response.status, ms: performance.now() - started }
    }),
  )
  const used = readCpu(server.pid) - cpu
  await server.stop()
  const by = Map.groupBy(tries, ({ status }) => status)
  const waits = tries.map(({ ms }) => ms).sort((a, b) => a - b)
  return [
    `  ${[...by].map(([status, each]) => `${each.length} × ${status}`).join(', ')}`,
    `  answered after ${format(waits[0])} to ${format(waits.at(-1))} ms, median ${format(waits[crowd / 2])}`,
    `  processor time a sign-in ${format(used / (by.get(200)?.length ?? 1))} ms, an account with a one-time password ${format(importCpu)} ms`,
  ].join('\n')
}

const format = (ms = 0) => ms.toFixed(0)
