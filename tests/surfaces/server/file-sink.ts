import type { FileReply } from '@jiaowu/api'

/** Where files go instead of to the disk: the last one is kept. */
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
