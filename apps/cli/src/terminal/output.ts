import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { OutputFilter } from './filtered.ts'
import { createPager } from './pager.ts'
import { createPaint, fittedTable, recordLines, type TableCells } from './table.ts'
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
  readonly rows: (records: readonly unknown[], table: () => TableCells) => void
  readonly talk: (text: string) => void
  /** A line that replaces the previous progress line; only on a terminal. Null clears it. */
  readonly progress: (text: string | null) => void
  /** Writes what `--jq` or `--template` makes of the JSON. Call it once, when the command has ended. */
  readonly finish: () => Promise<void>
}

export interface Streams {
  readonly stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number }
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean }
}

export function createOutput(
  { stdout, stderr }: Streams,
  wantsJson: boolean,
  locale: Locale,
  filter: OutputFilter = {},
  env: NodeJS.ProcessEnv = {},
): Output {
  const isFiltered = filter.jq !== undefined || filter.template !== undefined
  const json = wantsJson || isFiltered
  const held: string[] = []
  const line = (text: string) => {
    if (isFiltered) held.push(text)
    else stdout.write(`${text}\n`)
  }
  const isTerminal = stderr.isTTY === true
  const page = createPager(stdout, env, line)
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
      const shown = table()
      const { heads, cells } = shown
      const room = stdout.isTTY === true ? stdout.columns : undefined
      const paint = hasColours(stdout, env) ? createPaint(shown) : undefined
      const { lines, hidden } = fittedTable(heads, cells, room, paint)
      // Less than half of the columns: a block for each record says more.
      const isNarrow = hidden.length * 2 > heads.length && cells.length > 0
      page(isNarrow ? recordLines(shown, paint) : lines)
      if (!isNarrow && hidden.length > 0)
        stderr.write(`${clean(t(locale, 'cli.hiddenColumns', { names: hidden.join(' ') }))}\n`)
    },
    talk: (text) => stderr.write(`${clean(text)}\n`),
    progress: (text) => {
      if (isTerminal && !json)
        stderr.write(text === null ? '\r\u001b[K' : `\r\u001b[K${clean(text)}`)
    },
    finish: async () => {
      if (!isFiltered) return
      const { filterLines } = await import('./filtered.ts')
      stdout.write(await filterLines(held, filter, locale))
    },
  }
}

/** Colours are for a terminal that has them and a person who wants them (no-color.org). */
function hasColours(
  { isTTY }: Streams['stdout'],
  { NO_COLOR, TERM, CI }: NodeJS.ProcessEnv,
): boolean {
  const isSet = (value: string | undefined) => value !== undefined && value !== ''
  return isTTY === true && TERM !== 'dumb' && !isSet(NO_COLOR) && !isSet(CI)
}
