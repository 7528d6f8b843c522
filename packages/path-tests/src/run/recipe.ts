import type { Path } from './path.ts'
import { onlyStart } from '../model/define-model.ts'
import { type Step, stepId } from '../model/step.ts'

export interface Failure {
  readonly at: number
  readonly reasons: readonly string[]
  /** The steps to repeat by hand, the differences, and the line that runs it again. */ readonly text: string
}

/** Only the end of a long path is printed. */
const shownSteps = 30
const glyphs: Record<Step['kind'], string> = {
  user: '👆',
  settle: '⇄',
  child: '▸',
  time: '⏱',
}
const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

/** One line per different part, with its property path. */
export function listDifferences(path: string, model: unknown, screen: unknown): string[] {
  if (Object.is(model, screen)) return []
  if (!isObject(model) || !isObject(screen) || Array.isArray(model) !== Array.isArray(screen))
    return show(model) === show(screen) && typeof model === typeof screen
      ? []
      : [`${path === '' ? 'seen' : path}: model ${show(model)}, screen ${show(screen)}`]
  if (Array.isArray(model) && ![...model, ...(screen as unknown as unknown[])].some(isObject))
    return show(model) === show(screen)
      ? []
      : [`${path === '' ? 'seen' : path}: model ${show(model)}, screen ${show(screen)}`]
  return [...new Set([...Object.keys(model), ...Object.keys(screen)])].flatMap((name) =>
    listDifferences(path === '' ? name : `${path}.${name}`, model[name], screen[name]),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** `states` holds the model's state after each successful step; the next step failed. */
export function recipe(
  machine: string,
  path: Path,
  states: readonly string[],
  reasons: readonly string[],
): Failure {
  const at = states.length
  const done = path.steps.slice(0, at + 1)
  const lines = done.map(
    ({ step }, index) =>
      `${index === at ? '✗' : ' '} ${index + 1}. ${glyphs[step.kind]} ${step.label}${index === at ? '' : `  ⇒  ${states[index] ?? ''}`}`,
  )
  const skipped = Math.max(0, lines.length - shownSteps)
  const text = [
    `${machine} ${path.id} failed at step ${Math.min(at + 1, path.steps.length)} of ${path.steps.length}`,
    ...(path.start === onlyStart ? [] : [`  0. starts with ${path.start}`]),
    ...(skipped === 0 ? [] : [`  … ${skipped} steps, all of them in the line below`]),
    ...lines.slice(skipped),
    ...reasons.map((reason) => `    ${reason}`),
    `reproduce: MBT_PATH='${[...(path.start === onlyStart ? [] : [`start:${path.start}`]), ...done.map(({ step }) => stepId(step))].join(' | ')}'`,
  ].join('\n')
  return { at, reasons, text }
}
