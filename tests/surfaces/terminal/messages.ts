import type { Message, Problem, TextKey, TextParams } from '@jiaowu/api'
import { sentence, type SentenceTable } from '../sentences.ts'

/** Messages and problems as the screen shows them; those that there are. */
export function told(
  ...given: readonly (Message | Problem | string | false | null | undefined)[]
): string {
  return given
    .flatMap((each) => (each ? sentence(isProblem(each) ? each.message : each) : []))
    .filter((text) => text !== '')
    .join()
}

function isProblem(given: Message | Problem | string): given is Problem {
  return typeof given === 'object' && 'message' in given
}

/** The parameters of a sentence that counts seconds down; null: it is not shown. */
export function secondsOf(ms: number | null): TextParams | null {
  return ms === null ? null : { n: Math.ceil(ms / 1000) }
}

/** A line of stations: those before the current one are ticked off. */
export function stations(names: readonly string[], current: number): string {
  return names
    .map((name, index) => `${index < current ? '✓' : index === current ? '●' : '○'} ${name}`)
    .join(' ─ ')
}

type NamesUnder<Prefix extends string> = {
  [Key in TextKey]: Key extends `${Prefix}.${infer Name}` ? Name : never
}[TextKey]

/** Sentences that are shown at the same time, by their names under a prefix of the catalogue. */
export function under<Prefix extends string, View>(
  prefix: Prefix,
  when: (view: View) => boolean,
  ...names: readonly NamesUnder<Prefix>[]
): SentenceTable<View> {
  return Object.fromEntries(names.map((name) => [`${prefix}.${name}`, when]))
}

export const always = (): boolean => true
