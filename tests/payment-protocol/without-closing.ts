import { downloadMachine } from '@jiaowu/machines'
import { type AnyStateMachine, createMachine } from 'xstate'

interface Bag {
  [key: string]: Bag
}

/** The download as it would be without `closing`: whoever leaves the popup is simply elsewhere. What the specification read literally leads to. */
export function withoutClosing(): AnyStateMachine {
  const config = structuredCloneOf(downloadMachine.config) as Bag
  const { states } = config as { states: Bag }
  const scanPay = states.scanPay as { invoke: Bag; on: Bag }
  scanPay.invoke = {
    ...scanPay.invoke,
    onDone: { target: '#download.failed.timedOut' } as unknown as Bag,
  }
  scanPay.on = {
    'pay.cancel': { target: '#download.list' },
    'session.end': { target: '#download.ended' },
  } as unknown as Bag
  return createMachine(
    config as never,
    downloadMachine.implementations as never,
  ) as unknown as AnyStateMachine
}

/** Objects and lists are copied; functions (guards, inputs) are the same ones. */
function structuredCloneOf(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map(structuredCloneOf)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([key, part]) => [key, structuredCloneOf(part)]),
        )
      : value
}
