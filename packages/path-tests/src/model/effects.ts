import { stableText } from './text.ts'

/** The effect of a call: `call createOrder {"pieces":2}`; the source follows where the name differs. */
export function callEffect(name: string, input: unknown, source = name): string {
  return `call ${name}${source === name ? '' : ` (${source})`} ${stableText(input)}`.trim()
}

/** The effect of starting a child that is no call. */
export function startEffect(name: string, input: unknown, source: string): string {
  return `start ${name}${source === name ? '' : ` (${source})`} ${stableText(input)}`.trim()
}

export const emitEffect = (event: object): string => `emit ${stableText(event)}`

/** The effect of an event that a machine sends to another actor. */
export function sendEffect(to: string, event: object): string {
  return `send ${to} ${stableText(event)}`
}

export function actionEffect(type: string, params: unknown): string {
  return `action ${type} ${stableText(params)}`.trim()
}
