/** Accepted findings by name, each with its reason. A reason without a finding is reported too. */
export type Excuses = Readonly<Record<string, string>>

/** Findings without a reason, and reasons without a finding. */
export function unexcused(found: readonly string[], excuses: Excuses = {}): string[] {
  return [
    ...found.filter((each) => !(each in excuses)),
    ...Object.keys(excuses)
      .filter((each) => !found.includes(each))
      .map((each) => `excused but not found: ${each}`),
  ]
}
