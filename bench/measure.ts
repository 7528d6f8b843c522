import { readFileSync } from 'node:fs'

export interface Line {
  readonly what: string
  readonly ours: string
  readonly bare: string
  readonly ratio: string
  readonly note: string
}

export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

/** Milliseconds of each of `reps` runs, sorted, after three warm-up runs. */
export async function timings(reps: number, work: () => Promise<unknown>): Promise<number[]> {
  for (let i = 0; i < 3; i += 1) await work()
  const found: number[] = []
  for (let i = 0; i < reps; i += 1) {
    const at = performance.now()
    await work()
    found.push(performance.now() - at)
  }
  return found.sort((a, b) => a - b)
}

export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now()
  await work()
  return (performance.now() - at) / 1000
}

/** Processor time of a process with its threads in ms (10 ms exact); NaN on systems without /proc. */
export function readProcessorTime(pid: number): number {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = after.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** Resident memory of a process in MB, now and at its peak; NaN on systems without /proc. */
export function readMemory(pid: number): { readonly now: number; readonly peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kb = (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN)
    return { now: kb('VmRSS') / 1024, peak: kb('VmHWM') / 1024 }
  } catch {
    return { now: Number.NaN, peak: Number.NaN }
  }
}

/** Runs `work` and samples the memory of a process every 50 ms; in MB. */
export async function watchMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; before: number; peak: number }> {
  const before = readMemory(pid).now
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, readMemory(pid).now)
  }, 50)
  try {
    return { result: await work(), before, peak: Math.max(peak, readMemory(pid).now) }
  } finally {
    clearInterval(timer)
  }
}

/** A Markdown table; the first row is the head. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => width(row[i] ?? ''))))
  const text = rows.map(
    (row) =>
      `| ${row.map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - width(cell))).join(' | ')} |`,
  )
  return [text[0], `|${widths.map((w) => '-'.repeat(w + 2)).join('|')}|`, ...text.slice(1)].join(
    '\n',
  )
}

export function linesTable(lines: readonly Line[]): string {
  return table([
    ['what', 'ours', 'bare', 'ratio', ''],
    ...lines.map(({ what, ours, bare, ratio, note }) => [what, ours, bare, ratio, note]),
  ])
}

function width(text: string): number {
  return [...text].reduce((sum, c) => sum + (c.charCodeAt(0) > 0x2e80 ? 2 : 1), 0)
}

export function perSecond(rows: number, took: number): string {
  return `${Math.round(rows / took).toLocaleString('en')}/s`
}

export const times = (ours: number, bare: number): string => `${(ours / bare).toFixed(2)}×`
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`
