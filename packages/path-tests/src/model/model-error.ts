export type ModelErrorCode =
  | 'no-sample'
  | 'wildcard'
  | 'no-start'
  | 'no-step'
  | 'no-call'
  | 'not-started'
  | 'too-many-steps'
  | 'unbroken-fails'

/** A mistake in the use of this package; the message says what to do. `code` is stable. */
export class ModelError extends Error {
  readonly code: ModelErrorCode

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(`${message} [${code}]`, options)
    this.name = 'ModelError'
    this.code = code
  }
}
