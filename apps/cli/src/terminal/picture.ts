import type { FileReply } from '@jiaowu/api/endpoint'
import { t } from '@jiaowu/api/texts/index'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandLine } from '../command-line.ts'
import { halfBlocks } from './half-blocks.ts'

/**
 * Prints a picture on stderr and saves it to a file, since not every font has half blocks.
 * @returns the path
 */
export async function showPicture(
  { output, locale }: CommandLine,
  reply: FileReply,
  name: string,
): Promise<string> {
  const bytes = new Uint8Array(await new Response(reply.stream).arrayBuffer())
  // A new folder, which other users of the machine cannot write: no link can stand at the path.
  const path = join(await mkdtemp(join(tmpdir(), 'jiaowu-')), name)
  await writeFile(path, bytes, { mode: 0o600 })
  for (const line of halfBlocks(bytes)) output.talk(line)
  output.talk(t(locale, 'cli.picture', { path }))
  return path
}
