// Tells whether the server runs another build of the console than this tab.
import { useSyncExternalStore } from 'react'

/** Their names hold hashes over the build. */
const script = /^\/assets\/([\w-]+)\.js$/

/** As the server reads it from the page; absent where no built console runs: under `npm run dev`, and in tests. */
function readOwnBuild(): string | undefined {
  const names = [...document.querySelectorAll('script[src]')].flatMap(
    (each) => script.exec(each.getAttribute('src') ?? '')?.[1] ?? [],
  )
  return names.length === 0 ? undefined : names.join(' ')
}

let isOutdated = false
const listeners = new Set<() => void>()

/** Call it with each answer of the server. */
export function noteBuild(headers: Headers, own = readOwnBuild()): void {
  const running = headers.get('x-build')
  if (own === undefined || running === null || (running !== own) === isOutdated) return
  isOutdated = running !== own
  for (const listener of listeners) listener()
}

/** Asks the server for its build, where a part of this one could not be loaded. */
export async function askForBuild(): Promise<void> {
  await fetch('/health/live').then(
    ({ headers }) => noteBuild(headers),
    () => {},
  )
}

/** Wraps `fetch`, so that every call of the console notes the build. */
export async function fetchNoting(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  noteBuild(response.headers)
  return response
}

export function useOutdated(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOutdated,
  )
}
