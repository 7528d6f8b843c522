import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const checkMs = 5_000
const script = /<script[^>]*\ssrc="\/assets\/([\w-]+)\.js"/g

/**
 * Answers the names of the scripts of the console's page, which hold hashes over its build; undefined without a built
 * console. The page is read again when it has changed.
 */
export function createBuildReader(
  webRoot: string | undefined,
  clock: () => number = () => performance.now(),
): () => string | undefined {
  if (webRoot === undefined) return () => undefined
  const page = join(webRoot, 'index.html')
  let [build, modified, checked] = [undefined as string | undefined, 0, Number.NEGATIVE_INFINITY]
  return () => {
    if (clock() - checked < checkMs) return build
    checked = clock()
    const at = statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (at === modified) return build
    modified = at
    const scripts = at === 0 ? [] : [...readFileSync(page, 'utf8').matchAll(script)]
    build = scripts.length === 0 ? undefined : scripts.map(([, name]) => name).join(' ')
    return build
  }
}
