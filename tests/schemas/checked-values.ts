// Values that the check constraints of a table take, as somebody enters them who has read the refusal
// that names the constraint.
import type pg from 'pg'

/** Samples by column, from its patterns and the values that its conditions name. */
export async function checkedSamples(
  pool: pg.Pool,
  table: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await pool.query<{ columns: string[]; text: string }>(
    `select array(select a.attname::text from unnest(k.conkey) n
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n) as columns,
       pg_get_constraintdef(k.oid) as text
     from pg_constraint k where k.conrelid = $1::regclass and k.contype = 'c'`,
    [table],
  )
  const found = new Map<string, string[]>()
  for (const { columns, text } of rows) {
    const samples = listCheckSamples(text)
    for (const column of columns) found.set(column, [...(found.get(column) ?? []), ...samples])
  }
  return found
}

function listCheckSamples(check: string): string[] {
  const patterns = [...check.matchAll(/ ~ '((?:[^']|'')*)'/g)].flatMap(
    ([, pattern = '']) => sampleOfPattern(pattern.replaceAll("''", "'")) ?? [],
  )
  const literals = [...check.matchAll(/'((?:[^']|'')+)'::(?!regclass)|\(?(-?\d+)\)?/g)].flatMap(
    ([, text, number]) => (text === undefined ? [number ?? ''] : [text.replaceAll("''", "'")]),
  )
  return [...patterns, ...literals.filter((value) => value !== '')]
}

const atom = /\\d|\\[.+*?()[\]{}|^$\\/-]|\[[^\]]+\]|[^\\()[\]{}|^$*+?]/y
const quantifier = /\{(\d+)(?:,\d*)?\}|[*+?]/y

/** A text for a pattern of characters, classes and repetitions; null for any other. */
export function sampleOfPattern(pattern: string): string | null {
  const inner = /^\^(.*)\$$/s.exec(pattern)?.[1]
  if (inner === undefined) return null
  let sample = ''
  for (let at = 0; at < inner.length;) {
    atom.lastIndex = at
    const part = atom.exec(inner)?.[0]
    if (part === undefined) return null
    quantifier.lastIndex = at + part.length
    const times = quantifier.exec(inner)
    at += part.length + (times?.[0].length ?? 0)
    const least =
      times === null ? 1 : times[1] === undefined ? Number(times[0] === '+') : Number(times[1])
    sample += chooseLetter(part).repeat(least)
  }
  return sample
}

function chooseLetter(part: string): string {
  if (part === '\\d') return '1'
  if (part === '.') return 'a'
  const inside = /^\[(.*)\]$/s.exec(part)?.[1]
  if (inside === undefined) return part.replace(/^\\/, '')
  return inside.startsWith('\\d') ? '1' : (inside[0] ?? '')
}
