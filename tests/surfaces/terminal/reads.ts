import type { TerminalUser } from './screen.tsx'

type Read<T> = (user: TerminalUser) => T

/** Reads the first group of a pattern in the frame; empty when it matches nothing. */
export function match(pattern: RegExp): Read<string> {
  return (user) => pattern.exec(user.frame())?.[1] ?? ''
}

/** Reads the first group of a pattern at each match. */
export function readMatches(pattern: RegExp): Read<string> {
  return (user) => [...user.frame().matchAll(pattern)].map(([, text]) => text).join()
}

/** A number in the frame; null when it is not there. */
export function number(pattern: RegExp): Read<number | null> {
  return (user) => {
    const found = pattern.exec(user.frame())?.[1]
    return found === undefined ? null : Number(found)
  }
}

/** Whether the frame shows a text by itself. */
export function says(text: string): Read<boolean> {
  return (user) => user.says(text)
}

/** Whether the frame shows a text anywhere. */
export function has(text: string | RegExp): Read<boolean> {
  return (user) =>
    typeof text === 'string' ? user.frame().includes(text) : text.test(user.frame())
}

/** The red lines, without their mark. */
export const red = readMatches(/✗ (.*?)\s*(?:│|$)/gm)

/** The value typed into a field; a dash stands for an empty one. */
export function readTypedValue(label: string): Read<string> {
  const value = match(new RegExp(`${label}: *(\\S*)`))
  return (user) => value(user).replace(/^[-│]$/, '')
}

/** The lines that match a pattern, without the cursor and with single blanks. */
export function readLines(pattern: RegExp): Read<string> {
  return (user) =>
    flatLines(user)
      .map((line) => line.replace(/^❯ /, ''))
      .filter((line) => pattern.test(line))
      .join('\n')
}

/** The lines that are not empty, with single blanks. */
export function flatLines(user: TerminalUser): readonly string[] {
  return user
    .lines()
    .map(flat)
    .filter((line) => line !== '')
}

export function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
