import type { FileReply } from '@jiaowu/api'

/** Receives files instead of the disk and keeps the last one. */
export function fileSink() {
  let last = new Uint8Array()
  return {
    save: async (
      file: FileReply,
      onProgress: (bytes: number) => void = () => {},
    ): Promise<void> => {
      last = new Uint8Array(await new Response(file.stream).arrayBuffer())
      onProgress(last.length)
    },
    take: (): Uint8Array => {
      const taken = last
      last = new Uint8Array()
      return taken
    },
  }
}
