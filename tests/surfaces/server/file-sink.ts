import type { FileReply } from '@jiaowu/api/endpoint'
import { type Faults, must } from './checks.ts'

/** Receives files instead of the disk and keeps the last one. */
export function fileSink() {
  let last = new Uint8Array()
  const take = (): Uint8Array => {
    const taken = last
    last = new Uint8Array()
    return taken
  }
  return {
    save: async (
      file: FileReply,
      onProgress: (bytes: number) => void = () => {},
    ): Promise<void> => {
      last = new Uint8Array(await new Response(file.stream).arrayBuffer())
      onProgress(last.length)
    },
    take,
    takeLines: (): readonly string[] => new TextDecoder().decode(take()).trim().split(/\r?\n/),
    /** Whether something was received. */
    filled: (): Faults => must(take().length > 0, 'an empty file'),
  }
}
