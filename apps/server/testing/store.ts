// What the global set-up hands to the test files of one run.
import 'vitest'

export interface TestStore {
  /** Belongs to this run alone and is removed at its end. */
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
