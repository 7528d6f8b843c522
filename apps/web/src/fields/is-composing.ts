import type { KeyboardEvent } from 'react'

/**
 * Whether a key belongs to an input method that is composing text. Safari ends the composition before
 * the key that confirms it, and gives that key the code 229.
 */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229
}
