import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'

/** An escape sequence, a control character, or a run of letters. */
const parts =
  /\u001b(?:\[[\d;?]*[ -/]*[@-~]|O.)|\u001b|[\u0000-\u001a\u001c-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g
const longestTyped = 8 // letters; a longer run in one read counts as pasted

/** Splits what one read returned into keys; pasted text stays one key. */
export function keysIn(typed: string): string[] {
  return (typed.match(parts) ?? []).flatMap((part) =>
    part.startsWith('\u001b') || [...part].length > longestTyped ? [part] : [...part],
  )
}

/** Keeps keys for later, except those that `passes` lets through, until the returned function is called. */
export type Hold = (passes: (key: string) => boolean) => () => void

/**
 * Delivers the keys of a terminal one per turn of the event loop. Ink passes all keys of one read
 * to the same handlers before it renders again: a second key would reach the field that the first
 * one has left.
 */
export function openKeyboard(source: ReadStream): {
  readonly stdin: ReadStream
  readonly hold: Hold
  readonly close: () => void
} {
  const keys: string[] = []
  const holds = new Set<(key: string) => boolean>()
  const out = new PassThrough({ encoding: 'utf8' })
  let busy = false
  const next = () => {
    const at = keys.findIndex((key) => [...holds].every((passes) => passes(key)))
    const [key] = at < 0 ? [] : keys.splice(at, 1)
    busy = key !== undefined
    if (key === undefined) return
    out.write(key)
    setImmediate(next)
  }
  const onData = (chunk: string) => {
    keys.push(...keysIn(chunk))
    if (!busy) next()
  }
  const hold: Hold = (passes) => {
    holds.add(passes)
    return () => {
      holds.delete(passes)
      // The next screen listens after it is drawn.
      setImmediate(() => {
        if (!busy) next()
      })
    }
  }
  source.setEncoding('utf8')
  source.on('data', onData)
  // An earlier screen of the same command has paused it.
  source.resume()
  const stdin = Object.assign(out, {
    isTTY: true,
    setRawMode: (raw: boolean) => {
      source.setRawMode(raw)
      return stdin
    },
    ref: () => {
      source.ref()
      return stdin
    },
    unref: () => {
      source.unref()
      return stdin
    },
  }) as unknown as ReadStream
  return {
    stdin,
    hold,
    close: () => {
      keys.length = 0
      source.off('data', onData)
      source.pause()
      out.destroy()
    },
  }
}
