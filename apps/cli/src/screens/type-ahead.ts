import { createContext, useContext, useEffect, useRef } from 'react'
import type { Hold } from './keyboard.ts'
import type { Binding } from './ui.tsx'

/** Keeps keys for the next screen; null where keys do not come from a terminal. */
export const HoldKeys = createContext<Hold | null>(null)

/**
 * While a screen waits for the server, keeps the keys that it does not know for the screen that
 * follows: people who know their way type ahead.
 */
export function useTypeAhead(isWaiting: boolean, bindings: readonly Binding[]): void {
  const hold = useContext(HoldKeys)
  const known = useRef(bindings)
  known.current = bindings
  useEffect(
    () =>
      isWaiting
        ? hold?.((key) => key === interrupt || known.current.some((each) => rawKey(each) === key))
        : undefined,
    [hold, isWaiting],
  )
}

const interrupt = '\u0003'
const named: Readonly<Record<string, string>> = { esc: '\u001b', enter: '\r', tab: '\t' }

/** Returns the bytes that a terminal sends for the key of a binding. */
function rawKey({ key }: Binding): string {
  return /^\^[a-z]$/.test(key)
    ? String.fromCharCode(key.charCodeAt(1) - 'a'.charCodeAt(0) + 1)
    : (named[key] ?? key)
}
