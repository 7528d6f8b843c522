// `node:module` in a browser: the drivers ask it for one thing, the library that fades dialogs in and out.
import * as transitions from 'react-transition-group'

export function createRequire(): object {
  return Object.assign(() => transitions, { resolve: (name: string) => name })
}
