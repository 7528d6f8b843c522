import { parseJson } from '@jiaowu/api/exact-json'
import { t } from '@jiaowu/api/texts/index'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { describeDifferences, listStepWords } from '../machine-report/failures.ts'
import { loadPathBook } from '../machine-report/load-book.ts'
import {
  type BookMachine,
  type BookPath,
  parsePathBook,
  type PathBook,
} from '../machine-report/path-book.ts'
import { parseFailure } from '../machine-report/run-result.ts'

export interface ReplayFlags {
  readonly surface: string
  readonly headed?: boolean
  readonly slow: string
  readonly paths?: string
}

const surfaces = ['web', 'terminal', 'bare'] as const
const told = v.variant('type', [
  v.object({ type: v.literal('step'), index: v.number() }),
  v.object({ type: v.literal('seen'), says: v.array(v.string()) }),
  v.object({ type: v.literal('end'), failure: v.nullable(v.string()) }),
  v.object({ type: v.literal('impossible'), why: v.string() }),
])
type Told = v.InferOutput<typeof told>

/** The drivers of the surfaces are those of the tests. */
const script = fileURLToPath(new URL('../../../tests/paths/recipes/replay.ts', import.meta.url))

/** `machine replay PATH`: repeats a path of the report on a surface, and says each step and what was seen. */
export async function replayPath(line: CommandLine, id: string, flags: ReplayFlags): Promise<void> {
  const { locale } = line
  if (!surfaces.some((name) => name === flags.surface))
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.replay.surface', { name: flags.surface, known: surfaces.join(', ') }),
    )
  const slow = Number(flags.slow)
  if (!Number.isInteger(slow) || slow < 0)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.replay.slow', { value: flags.slow }))
  if (!existsSync(script))
    throw new CommandError(exitCodes.refused, t(locale, 'cli.replay.needRepository'))
  const { machine, path } = findPath(line, id, await loadBook(line, flags.paths))
  if (path.again === '')
    throw new CommandError(exitCodes.refused, t(locale, 'cli.replay.byHand', { id }))
  const hasDisplay = Boolean(line.env.DISPLAY ?? line.env.WAYLAND_DISPLAY)
  if (flags.headed === true && !hasDisplay) line.output.talk(t(locale, 'cli.replay.noDisplay'))
  await runReplay(
    line,
    { machine, path },
    {
      PATHS_REPLAY: JSON.stringify({
        machine: machine.id,
        part: path.part,
        surface: flags.surface === 'web' ? 'chromium' : flags.surface,
        again: path.again,
      }),
      PATHS_SLOW: flags.slow,
      PATHS_HEADED: flags.headed === true && hasDisplay ? '1' : '',
    },
  )
}

async function loadBook(line: CommandLine, file: string | undefined): Promise<PathBook> {
  if (file === undefined) {
    line.output.progress(t(line.locale, 'cli.report.making'))
    const book = await loadPathBook(line)
    line.output.progress(null)
    return book
  }
  try {
    return parsePathBook(readFileSync(file, 'utf8'))
  } catch {
    throw new CommandError(exitCodes.usage, t(line.locale, 'cli.replay.noBook', { file }))
  }
}

interface Found {
  readonly machine: BookMachine
  readonly path: BookPath
}

function findPath({ locale }: CommandLine, id: string, { machines }: PathBook): Found {
  for (const machine of machines)
    for (const path of machine.paths) if (path.id === id) return { machine, path }
  throw new CommandError(exitCodes.refused, t(locale, 'cli.replay.noPath', { id }))
}

async function runReplay(
  line: CommandLine,
  found: Found,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { locale, signal } = line
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...line.env, ...env },
    signal,
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const narrate = createNarrator(line, found)
  let last: Told | null = null
  for await (const text of createInterface({ input: child.stdout })) {
    const parsed = v.safeParse(told, text.startsWith('{') ? parseJson(text) : null)
    if (!parsed.success) continue
    last = parsed.output
    narrate(last)
  }
  const code = await ended
  if (last?.type === 'impossible')
    throw new CommandError(exitCodes.refused, t(locale, 'cli.replay.impossible'))
  if (code !== 0 || last?.type !== 'end')
    throw new CommandError(exitCodes.fault, t(locale, 'cli.fault'))
  if (last.failure !== null)
    throw new CommandError(exitCodes.checksFailed, t(locale, 'cli.replay.differs'))
}

/** Says each step when it begins, and the sentences that are new on the surface after it. */
function createNarrator(line: CommandLine, { machine, path }: Found): (told: Told) => void {
  const { locale, output } = line
  const side = locale === 'en' ? 'en' : 'zh'
  let known: ReadonlySet<string> = new Set()
  const say = (type: string, text: string, more: object = {}) =>
    output.data({ type, text, ...more }, () => [text])
  say('begin', `${machine.name[side]}: ${path.start[side]}`, { path: path.id })
  return (each) => {
    if (each.type === 'step') {
      const step = path.steps[each.index]
      for (const before of step?.prepare ?? []) say('prepare', `   · ${before[side]}`)
      say('step', `${String(each.index + 1)}. ${step?.do[side] ?? ''}`, { no: each.index + 1 })
    } else if (each.type === 'seen') {
      const fresh = each.says.filter((text) => !known.has(text))
      known = new Set(each.says)
      if (fresh.length > 0) say('seen', `   ✓ ${fresh.join(' · ')}`, { says: fresh })
    } else if (each.type === 'end' && each.failure !== null) {
      const { differences } = parseFailure(machine.id, '', each.failure, null)
      for (const { name, wanted, found } of describeDifferences(
        differences,
        listStepWords(machine),
      ))
        say(
          'differs',
          `   ✗ ${name[side]}: ${t(locale, 'cli.replay.expected', {
            wanted: wanted.map((text) => text[side]).join(' · '),
            found: found.map((text) => text[side]).join(' · '),
          })}`,
        )
    } else if (each.type === 'end') say('matched', t(locale, 'cli.replay.matched'))
  }
}
