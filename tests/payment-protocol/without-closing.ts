import { downloadMachine } from '@jiaowu/machines/download/machine'
import { type AnyStateMachine, createMachine } from 'xstate'

interface Bag {
  [key: string]: Bag
}

/**
 * The download machine without the state `closing`, as a literal reading of the specification
 * suggests: leaving the popup just changes the screen.
 */
export function withoutClosing(): AnyStateMachine {
  const config = cloneStructure(downloadMachine.config) as Bag
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

/** Copies objects and lists; functions (guards, inputs) are shared. */
function cloneStructure(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map(cloneStructure)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cloneStructure(part)]))
      : value
}
