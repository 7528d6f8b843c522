import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'

const screens = ['apps/web/**/*.test.{ts,tsx}', 'apps/cli/**/*.test.tsx', 'tests/**/*.test.tsx']
/** Tests of processes: servers, browsers and terminals that are started, and killed. */
const system = ['tests/{cli,crash,journeys,start}/**/*.test.ts', '**/*.system.test.ts']
/** The quickest of them, a form in a browser and a command on a server, which `npm test` runs too. */
const smoke = ['tests/journeys/forms.test.ts', 'tests/cli/entity/reveal.test.ts']
const installed = ['**/node_modules/**']
const onServers = { setupFiles: ['apps/server/testing/statements/setup.ts'] }

export default defineConfig({
  test: {
    globalSetup: ['apps/server/testing/global-setup.ts'],
    // Files of one worker share its modules: compiling the server and the WebAssembly database, or
    // Blueprint and React, for each file took a third of the processor time. Tests keep no global
    // state.
    isolate: false,
    // Two cores; a worker that waits for a browser, a server or a thread leaves one idle.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          ...onServers,
          include: ['{packages,apps,tests}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: [...installed, ...screens, ...system],
        },
      },
      { extends: true, test: { name: 'screens', include: screens } },
      { extends: true, test: { name: 'smoke', ...onServers, include: smoke } },
      {
        extends: true,
        test: {
          name: 'system',
          ...onServers,
          include: system,
          exclude: [...installed, ...smoke],
        },
      },
    ],
    // Limits end tests that hang and measure nothing: a machine of CI took five times as long as
    // another for the same commands.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
    // V8 loses track of code pages when several threads of one process load and drop WebAssembly
    // databases (nodejs/node#64500), and takes the whole run along.
    pool: 'forks',
    execArgv: [
      '--no-memory-protection-keys',
      '--no-wasm-code-gc',
      // Both cores are busy: threads that help to collect garbage would wait for one.
      '--single-threaded-gc',
      // A worker lives for minutes: the functions of the database that it calls most are worth
      // optimising, later than by default (13,000,000). Together with the line above, in turns, 314
      // instead of 330 s of processor time over the tests of reading, importing, rights and sign-in.
      '--wasm-tiering-budget=40000000',
    ],
  },
})
