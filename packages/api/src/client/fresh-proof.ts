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

/** The picture that stands beside a password after wrong ones. */
export interface ProofCaptcha {
  readonly captchaKey?: string
  readonly captcha?: string
}
export type ProofBody = ({ readonly password: string } & ProofCaptcha) | { readonly code: string }

/** Six digits are a code of the second factor: no password is as short. */
export function toProofBody(typed: string, captcha: ProofCaptcha): ProofBody {
  return /^\d{6}$/.test(typed) ? { code: typed } : { password: typed, ...captcha }
}

/** The key of the picture that the server wants answered with the next try. @param data of the refusal */
export function readCaptchaKey(data: unknown): string | null {
  const key =
    typeof data === 'object' && data !== null && 'captchaKey' in data ? data.captchaKey : null
  return typeof key === 'string' ? key : null
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
