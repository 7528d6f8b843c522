import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'

/** A key each: an escape sequence, a control character, a letter. A longer run of letters was pasted and stays whole. */
const parts =
  /\u001b(?:\[[\d;?]*[ -/]*[@-~]|O.)|\u001b|[\u0000-\u001a\u001c-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g
const pasted = 8 // letters
export function keysIn(typed: string): string[] {
  return (typed.match(parts) ?? []).flatMap((part) =>
    part.startsWith('\u001b') || [...part].length > pasted ? [part] : [...part],
  )
}

/**
 * The keys of a terminal, one at a time. Ink hands all that one read brought to the same handlers before it draws again, so that a quick
 * hand's second key would be heard by the field it has just left.
 */
export function keyboardOf(source: ReadStream): {
  readonly stdin: ReadStream
  readonly close: () => void
} {
  const keys: string[] = []
  const out = new PassThrough({ encoding: 'utf8' })
  let busy = false
  const next = () => {
    const key = keys.shift()
    busy = key !== undefined
    if (key === undefined) return
    out.write(key)
    setImmediate(next)
  }
  const hear = (chunk: string) => {
    keys.push(...keysIn(chunk))
    if (!busy) next()
  }
  source.setEncoding('utf8')
  source.on('data', hear)
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
    close: () => {
      source.off('data', hear)
      source.pause()
      out.destroy()
    },
  }
}
