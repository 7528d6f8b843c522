/** Properties of the final version only. */
export interface Issue {
  readonly number: string
  readonly code: string
  /** ISO. */
  readonly issuedAt: string
}
