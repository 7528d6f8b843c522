import { useInput } from 'ink'
import { createContext, useContext } from 'react'

/** Whether a question over the screen takes the keys. */
export const KeysHeld = createContext(false)

/** Ink's `useInput`, silent while a question over the screen takes the keys. */
export function useKeys(
  handler: Parameters<typeof useInput>[0],
  { isActive = true }: { readonly isActive?: boolean } = {},
): void {
  const isHeld = useContext(KeysHeld)
  useInput(handler, { isActive: isActive && !isHeld })
}
