// The walk of `npm run test:cluster`: its steps are tests that share one cluster and run in order.
import { join } from 'node:path'
import { mergeConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

export default mergeConfig(
  { ...base, test: { ...base.test, projects: undefined } },
  {
    root: join(import.meta.dirname, '..', '..'),
    test: {
      include: ['tests/cluster/walk.run.ts'],
      testTimeout: 300_000,
      hookTimeout: 300_000,
      reporters: ['verbose'],
    },
  },
)
