import { clean, tableLines } from './terminal-text.ts'

/** Where a command's words go: data on stdout, talk on stderr (docs/rules/contract.md#command-line). */
export interface Output {
  readonly json: boolean
  readonly isTerminal: boolean
  /** stdout is a terminal: data goes to a person, not to a pipe. */
  readonly toTerminal: boolean
  /** One JSON object, or the lines for people. */
  readonly data: (value: unknown, lines: () => readonly string[]) => void
  /** What a command did: one JSON object, or a sentence on stderr and on stdout only what another command can use, such as an id. */
  readonly done: (value: unknown, sentence: string, use?: string) => void
  /** One JSON object, whoever reads it. */
  readonly object: (value: unknown) => void
  /** Rows: ndjson, or a table. */
  readonly rows: (
    records: readonly unknown[],
    table: () => { heads: readonly string[]; cells: readonly (readonly string[])[] },
  ) => void
  readonly talk: (text: string) => void
  /** A line that overwrites itself; only on a terminal. */
  readonly progress: (text: string | null) => void
}

export interface Streams {
  readonly stdout: NodeJS.WritableStream & { isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean }
}

export function createOutput({ stdout, stderr }: Streams, json: boolean): Output {
  const line = (text: string) => stdout.write(`${text}\n`)
  const isTerminal = stderr.isTTY === true
  return {
    json,
    isTerminal,
    toTerminal: stdout.isTTY === true,
    data: (value, lines) => {
      if (json) line(JSON.stringify(value))
      else for (const text of lines()) line(clean(text))
    },
    done: (value, sentence, use) => {
      if (json) {
        line(JSON.stringify(value))
        return
      }
      stderr.write(`${clean(sentence)}\n`)
      if (use !== undefined && stdout.isTTY !== true) line(clean(use)) // a person has read it in the sentence
    },
    object: (value) => line(JSON.stringify(value)),
    rows: (records, table) => {
      if (json) {
        for (const record of records) line(JSON.stringify(record))
        return
      }
      const { heads, cells } = table()
      for (const text of tableLines(heads, cells)) line(text)
    },
    talk: (text) => stderr.write(`${clean(text)}\n`),
    progress: (text) => {
      if (isTerminal && !json)
        stderr.write(text === null ? '\r\u001b[K' : `\r\u001b[K${clean(text)}`)
    },
  }
}
