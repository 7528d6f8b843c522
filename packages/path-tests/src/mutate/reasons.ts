/** Accepted findings by name, each with its reason. A reason without a finding is reported too. */
export type Reasons = Readonly<Record<string, string>>

/** Findings without a reason, and reasons without a finding. */
export function listUnexplained(found: readonly string[], reasons: Reasons = {}): string[] {
  return [
    ...found.filter((each) => !Object.hasOwn(reasons, each)),
    ...Object.keys(reasons)
      .filter((each) => !found.includes(each))
      .map((each) => `accepted but not found: ${each}`),
  ]
}
