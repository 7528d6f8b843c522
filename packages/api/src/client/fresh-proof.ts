/** Lets a call that needs a fresh proof wait for the person (docs/rules/security.md#s6). */
export interface FreshProof {
  /** Whether the person is being asked. */
  readonly isAsking: () => boolean
  readonly subscribe: (listener: () => void) => () => void
  /** Asks; calls that come meanwhile share the answer. Null: the person has declined. */
  readonly ask: () => Promise<string | null>
  /** Ends the question with a token, or with null. */
  readonly answer: (token: string | null) => void
}

export function createFreshProof(): FreshProof {
  const listeners = new Set<() => void>()
  let asked: PromiseWithResolvers<string | null> | null = null
  const tell = () => {
    for (const listener of listeners) listener()
  }
  return {
    isAsking: () => asked !== null,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ask: async () => {
      if (asked === null) {
        asked = Promise.withResolvers()
        tell()
      }
      return await asked.promise
    },
    answer: (token) => {
      asked?.resolve(token)
      asked = null
      tell()
    },
  }
}
