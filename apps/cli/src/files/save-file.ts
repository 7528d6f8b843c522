import type { FileReply } from '@jiaowu/api/endpoint'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { fileFault } from './file-fault.ts'
import { clean } from '../terminal/terminal-text.ts'

/**
 * Streams a reply to a file, or to stdout for `-`. Writes to `.part` first: the file gets its name
 * only when it is complete.
 * @throws CommandError if the file cannot be written
 * @returns the path and the bytes written
 */
export async function saveFile(
  { locale, signal, overwrites }: Pick<CommandLine, 'locale' | 'signal' | 'overwrites'>,
  file: FileReply,
  requested: string | undefined,
  fallback: string,
  onBytes: (bytes: number) => void = () => {},
): Promise<{ path: string; bytes: number }> {
  let bytes = 0
  const counted = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      bytes += chunk.byteLength
      onBytes(bytes)
      yield chunk
    }
  }
  const source = Readable.fromWeb(file.stream as Parameters<typeof Readable.fromWeb>[0])
  if (requested === '-') {
    await pipeline(source, counted, process.stdout, { signal, end: false })
    return { path: '-', bytes }
  }
  const path = await resolveTargetPath(requested, file, fallback)
  await assertFree({ locale, overwrites }, path)
  const part = `${path}.part`
  try {
    await pipeline(source, counted, createWriteStream(part), { signal })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw toSaveFault(error, path, locale)
  }
  return { path, bytes }
}

/** @throws CommandError (usage) for a file that exists and may not be written over */
export async function assertFree(
  { locale, overwrites }: Pick<CommandLine, 'locale' | 'overwrites'>,
  path: string,
): Promise<void> {
  if (overwrites || path === '-') return
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (isFile) throw new CommandError(exitCodes.usage, t(locale, 'cli.exists', { path }))
}

/**
 * Path of the file: as requested, else the name from the server without its folders, which could
 * lead outside.
 */
async function resolveTargetPath(
  requested: string | undefined,
  file: FileReply,
  fallback: string,
): Promise<string> {
  const name = clean(basename(file.name.replaceAll('\\', '/'))) || fallback
  if (requested === undefined) return name
  const isFolder = await stat(requested).then(
    (s) => s.isDirectory(),
    () => false,
  )
  return isFolder ? join(requested, name) : requested
}

/** A usage error for a path the user can change; a fault for a full or broken disk. */
function toSaveFault(error: unknown, path: string, locale: Locale): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined || !['open', 'rename', 'write'].includes(syscall))
    return error
  return new CommandError(
    code === 'ENOSPC' || code === 'EIO' ? exitCodes.fault : exitCodes.usage,
    t(locale, 'cli.cannotWrite', { path, reason: fileFault(locale, error) }),
  )
}
