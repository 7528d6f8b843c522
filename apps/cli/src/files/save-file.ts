import { type FileReply, type Locale, t } from '@jiaowu/api'
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
 * Streams a reply to a file, or to stdout for `-`. A file appears under its name only when it is whole.
 * @throws CommandError when it cannot be written there
 * @returns the path and the bytes written
 */
export async function saveFile(
  { locale, signal }: Pick<CommandLine, 'locale' | 'signal'>,
  file: FileReply,
  wanted: string | undefined,
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
  if (wanted === '-') {
    await pipeline(source, counted, process.stdout, { signal, end: false })
    return { path: '-', bytes }
  }
  const path = await targetOf(wanted, file, fallback)
  const part = `${path}.part`
  try {
    await pipeline(source, counted, createWriteStream(part), { signal })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw faultOf(error, path, locale)
  }
  return { path, bytes }
}

/** The path a file goes to: as asked, or the server's name without any folders it may claim. */
async function targetOf(
  wanted: string | undefined,
  file: FileReply,
  fallback: string,
): Promise<string> {
  const name = clean(basename(file.name.replaceAll('\\', '/'))) || fallback
  if (wanted === undefined) return name
  const isFolder = await stat(wanted).then(
    (s) => s.isDirectory(),
    () => false,
  )
  return isFolder ? join(wanted, name) : wanted
}

/** A place that cannot be written is the person's to mend; a full disk is not. */
function faultOf(error: unknown, path: string, locale: Locale): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined || !['open', 'rename', 'write'].includes(syscall))
    return error
  return new CommandError(
    code === 'ENOSPC' || code === 'EIO' ? exitCodes.fault : exitCodes.usage,
    t(locale, 'cli.cannotWrite', { path, reason: fileFault(locale, error) }),
  )
}
