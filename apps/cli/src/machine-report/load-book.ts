import { t } from '@jiaowu/api/texts/index'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { parsePathBook, type PathBook } from './path-book.ts'

const findFile = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** In a checkout the models of the tests make the paths, as they are now. */
const generator = findFile('../../../tests/paths/recipes/write-book.ts')
/** In the archive for other machines they were made when it was packed (scripts/pack-terminal.ts). */
const packed = findFile('./path-book.json')

/** The machines of the product with their paths in words. @throws CommandError where neither source is there */
export async function loadPathBook(
  line: Pick<CommandLine, 'locale' | 'signal'>,
): Promise<PathBook> {
  if (existsSync(packed)) return parsePathBook(await readFile(packed, 'utf8'))
  if (!existsSync(generator))
    throw new CommandError(exitCodes.refused, t(line.locale, 'cli.needRepository'))
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-paths-'))
  try {
    const file = join(folder, 'paths.json')
    await runNode(line, [generator, file])
    return parsePathBook(await readFile(file, 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a script of the checkout to its end. @throws CommandError when it fails */
async function runNode(
  { locale, signal }: Pick<CommandLine, 'locale' | 'signal'>,
  args: readonly string[],
): Promise<void> {
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], signal })
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new CommandError(exitCodes.fault, t(locale, 'cli.fault'))
}
