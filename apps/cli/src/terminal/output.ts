import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { fittedTable } from './table.ts'
import { clean, jsonText } from './terminal-text.ts'

/**
 * Output of a command: data on stdout, messages on stderr (docs/rules/contract.md#command-line).
 */
export interface Output {
  readonly json: boolean
  readonly isTerminal: boolean
  /** stdout is a terminal, not a pipe or a file. */
  readonly toTerminal: boolean
  /** One JSON object with `--json`, else the lines. */
  readonly data: (value: unknown, lines: () => readonly string[]) => void
  /**
   * Result of a command: one JSON object with `--json`, else a sentence on stderr. `use` (such as
   * an id) goes to stdout if that is not a terminal, for another command to use.
   */
  readonly done: (value: unknown, sentence: string, use?: string) => void
  /** One JSON object, with and without `--json`. */
  readonly object: (value: unknown) => void
  /** Rows: ndjson with `--json`, else a table. */
  readonly rows: (
    records: readonly unknown[],
    table: () => { heads: readonly string[]; cells: readonly (readonly string[])[] },
  ) => void
  readonly talk: (text: string) => void
  /** A line that replaces the previous progress line; only on a terminal. Null clears it. */
  readonly progress: (text: string | null) => void
}

export interface Streams {
  readonly stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean }
}

export function createOutput({ stdout, stderr }: Streams, json: boolean, locale: Locale): Output {
  const line = (text: string) => stdout.write(`${text}\n`)
  const isTerminal = stderr.isTTY === true
  return {
    json,
    isTerminal,
    toTerminal: stdout.isTTY === true,
    data: (value, lines) => {
      if (json) line(jsonText(value))
      else for (const text of lines()) line(clean(text))
    },
    done: (value, sentence, use) => {
      if (json) {
        line(jsonText(value))
        return
      }
      stderr.write(`${clean(sentence)}\n`)
      if (use !== undefined && stdout.isTTY !== true) line(clean(use)) // on a terminal the sentence has it already
    },
    object: (value) => line(jsonText(value)),
    rows: (records, table) => {
      if (json) {
        for (const record of records) line(jsonText(record))
        return
      }
      const { heads, cells } = table()
      const room = stdout.isTTY === true ? stdout.columns : undefined
      const { lines, hidden } = fittedTable(heads, cells, room)
      for (const text of lines) line(text)
      if (hidden.length > 0)
        stderr.write(`${clean(t(locale, 'cli.hiddenColumns', { names: hidden.join(' ') }))}\n`)
    },
    talk: (text) => stderr.write(`${clean(text)}\n`),
    progress: (text) => {
      if (isTerminal && !json)
        stderr.write(text === null ? '\r\u001b[K' : `\r\u001b[K${clean(text)}`)
    },
  }
}
