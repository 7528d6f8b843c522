import type { Message, TextParams } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import { joinTexts, sentence } from '../sentences.ts'

/** Messages and problems as the screen shows them; those that there are. */
export function formatMessages(
  ...given: readonly (Message | Problem | string | false | null | undefined)[]
): string {
  return joinTexts(...given.map((each) => each && sentence(isProblem(each) ? each.message : each)))
}

function isProblem(given: Message | Problem | string): given is Problem {
  return typeof given === 'object' && 'message' in given
}

/** The parameters of a sentence that counts seconds down; null: it is not shown. */
export function countSeconds(ms: number | null): TextParams | null {
  return ms === null ? null : { n: Math.ceil(ms / 1000) }
}

/** A line of stations: those before the current one are ticked off. */
export function stations(names: readonly string[], current: number): string {
  return names
    .map((name, index) => `${index < current ? '✓' : index === current ? '●' : '○'} ${name}`)
    .join(' ─ ')
}
