import type { TerminalUser } from './screen.tsx'

type Read<T> = (user: TerminalUser) => T

/** What the first group of a pattern matches in the frame; empty when it matches nothing. */
export function seen(pattern: RegExp): Read<string> {
  return (user) => pattern.exec(user.frame())?.[1] ?? ''
}

/** A number in the frame; null when it is not there. */
export function seenNumber(pattern: RegExp): Read<number | null> {
  return (user) => {
    const found = pattern.exec(user.frame())?.[1]
    return found === undefined ? null : Number(found)
  }
}

/** Whether the frame shows a text by itself. */
export function shows(text: string): Read<boolean> {
  return (user) => user.says(text)
}

/** The red lines, without their mark. */
export function redLines(user: TerminalUser): string {
  return [...user.frame().matchAll(/✗ (.*?)\s*(?:│|$)/gm)].map(([, text]) => text).join()
}

/** The value typed into a field; a dash stands for an empty one. */
export function typedIn(label: string): Read<string> {
  return (user) =>
    (new RegExp(`${label}: *(\\S*)`).exec(user.frame())?.[1] ?? '').replace(/^[-│]$/, '')
}
