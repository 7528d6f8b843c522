/** What is let go, by name and with the reason; an excuse that is no longer needed is a finding too. */
export type Excuses = Readonly<Record<string, string>>

/** What is found and not excused, and what is excused and not found. */
export function unexcused(found: readonly string[], excuses: Excuses = {}): string[] {
  return [
    ...found.filter((each) => !(each in excuses)),
    ...Object.keys(excuses)
      .filter((each) => !found.includes(each))
      .map((each) => `excused but not found: ${each}`),
  ]
}
