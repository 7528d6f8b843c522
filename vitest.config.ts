import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.{ts,tsx}',
      'apps/**/*.test.{ts,tsx}',
      'tests/**/*.test.{ts,tsx}',
      'scripts/**/*.test.ts',
    ],
    globalSetup: ['apps/server/testing/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A second, the default, is short for a browser beside another busy test.
    expect: { poll: { timeout: 15_000 } },
    // V8 loses track of code pages when several threads of one process load and drop WebAssembly databases (nodejs/node#64500), and takes the whole run along.
    pool: 'forks',
    execArgv: ['--no-memory-protection-keys'],
    maxWorkers: 2,
  },
})
