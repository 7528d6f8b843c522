import { defineConfig } from 'vitest/config'

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
    // Where threads load and drop WebAssembly databases, V8 loses track of their code pages and ends
    // the process, with all tests of it (nodejs/node#64500). Processes instead of threads make that
    // rarer; servers of tests still have threads.
    pool: 'forks',
    execArgv: [
      // The pages are not locked by a key of the processor, which threads must hold to look them up.
      '--no-memory-protection-keys',
      // No page is given back while the process lives.
      '--no-wasm-code-gc',
      // The tests of imports and writes took 98 s of processor time without the two below, 92 with the
      // first, 85 with the second and 84 with both.
      // All processors are busy: threads that help to collect garbage would wait for one.
      '--single-threaded-gc',
      // Optimises functions of the database when they have run three times as much as by default
      // (13,000,000): most tests end before that pays.
      '--wasm-tiering-budget=40000000',
    ],
  },
})
