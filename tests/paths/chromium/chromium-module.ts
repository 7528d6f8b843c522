// `node:module` in a browser; the drivers use it only to find the library of transitions.
import * as transitions from 'react-transition-group'

export function createRequire(): object {
  return Object.assign(() => transitions, { resolve: (name: string) => name })
}
