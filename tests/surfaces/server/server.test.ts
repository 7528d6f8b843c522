import { testApp, type TestApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coverClasses, type Graph, stepId } from '@jiaowu/path-tests'
import { explore, runPaths } from '../../machines/spec.ts'
import type { MachineName } from '../../machines/registry.ts'
import { captchaEnv } from '../../support/student.ts'
import { unsaid } from './arranged.ts'
import { conformanceFailures } from './conformance.ts'
import { type MutantServer, mutantServers } from './mutant-servers.ts'
import type { ServerSettings } from './settings.ts'
import { openServerRun, ownSettings, type ServerRun } from './walk/walk-server.ts'

/**
 * `npm run paths -- --surface server` does this over the network, on any server. Here the server
 * runs in this process without a port; then servers with one fault each, which must be noticed at a
 * reproducible step.
 */
let app: TestApp
let settings: ServerSettings
let mutant: MutantServer | null = null
const straight = (request: Request): Promise<Response> => app.fetch(request)
const through = ((input, init) => {
  const request = new Request(input, init)
  return mutant === null ? straight(request) : mutant.answer(request, straight)
}) as typeof globalThis.fetch
beforeAll(async () => {
  app = await testApp({
    ...captchaEnv,
    CAMPUS_CIDRS: '127.0.0.1/32',
    PUBLIC_URL: 'http://jiaowu.test',
  })
  settings = ownSettings('http://jiaowu.test', testPassword, app.services.settings.dataDir)
})
afterAll(() => app.close())

function byEnding(graph: Graph) {
  return coverClasses(graph, ({ step, taken }) => `${stepId(step)} ${taken.join(' + ')}`).paths
}
async function walk(run: ServerRun, machine: MachineName) {
  const reports = []
  for (const { spec, drive } of Object.values(await run.partsOf(machine))) {
    const graph = explore(spec, 600)
    reports.push(await runPaths(spec, graph, byEnding(graph), drive))
  }
  return reports
}

// `npm run paths -- --surface server` walks the others, which take longer.
const quick = [
  'entityList',
  'entityForm',
  'lookup',
  'smsCode',
  'reveal',
  'notices',
  'printPreview',
  'views',
  'transfer',
] as const satisfies readonly MachineName[]

test('our own server follows the paths that can be arranged, refuses users without the right, and keeps to the contract in every reply', async () => {
  const run = openServerRun(settings, through)
  for (const machine of quick)
    expect((await walk(run, machine)).flatMap(({ failures }) => failures).join('\n\n')).toBe('')
  const conformance = await run.finish({ sweep: true })
  expect(conformanceFailures(conformance)).toEqual([])
  expect(conformance.notArranged.filter(({ why }) => why === unsaid)).toEqual([])
  // Besides the calls of students, every call except the captcha and the queue of the staff's sign-in is
  // requested.
  expect(
    conformance.endpoints
      .filter(({ calls }) => calls === 0)
      .map(({ endpoint }) => endpoint)
      .filter((name) => !/^(student|application)\./.test(name)),
  ).toEqual(['session.captcha', 'session.queue'])
}, 600_000)

describe('a server with one fault', () => {
  let run: ServerRun
  beforeAll(() => {
    run = openServerRun(settings, through)
  })
  afterAll(async () => {
    mutant = null
    expect(await run.finish({ sweep: false })).toMatchObject({ left: [] })
  })
  test.each(mutantServers)('$name is noticed, with a recipe', async (server) => {
    const { machine, part, says } = server
    // Prepares the data of the paths before the fault begins.
    const found = (await run.partsOf(machine))[part]
    if (found === undefined) throw new Error(`${machine} has no part ${part}`)
    mutant = server
    const graph = explore(found.spec, 600)
    const { failures } = await runPaths(found.spec, graph, byEnding(graph), () => found.drive())
    mutant = null
    const recipe = failures.find((text) => says.test(text)) ?? ''
    expect(recipe, failures.join('\n')).toMatch(says)
    expect(recipe).toMatch(/✗ \d+\. ⇄ .*[^]*reproduce: MBT_PATH='/)
    if (process.env.PRINT_RECIPES === '1') console.log(`${server.name}\n${recipe}`)
  })
})
