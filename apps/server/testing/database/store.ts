// Values that the global set-up provides to the test files of one run.
import 'vitest'

interface TestStore {
  /** Temporary folder of this run. */
  readonly directory: string
  /** Present with TEST_ENGINE=postgres: the cluster started for this run, without a database name. */
  readonly postgresUrl?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testStore: TestStore
  }
}

export const templateDatabase = 'jiaowu_template'
