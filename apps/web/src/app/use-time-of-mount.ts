import { useState } from 'react'

/** Milliseconds since 1970 when the component was first shown; a render has no time of its own. */
export function useTimeOfMount(): number {
  const [time] = useState(() => Date.now())
  return time
}
