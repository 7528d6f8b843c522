import { PNG } from 'pngjs'

/** Darkness of a pixel on a white background, 0 to 1. */
type Ink = (x: number, y: number) => number

/**
 * Dark-on-light PNG as lines of half blocks, two pixels per character, without colours, for any
 * terminal.
 * @param maxWidth columns; a wider picture is scaled down
 */
export function halfBlocks(bytes: Uint8Array, maxWidth = 78): string[] {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes))
  const step = Math.max(1, width / maxWidth)
  const ink: Ink = (x, y) => {
    const at =
      (Math.min(height - 1, Math.floor(y * step)) * width +
        Math.min(width - 1, Math.floor(x * step))) *
      4
    const [red = 255, green = 255, blue = 255, opacity = 255] = data.subarray(at, at + 4)
    return (1 - (0.299 * red + 0.587 * green + 0.114 * blue) / 255) * (opacity / 255)
  }
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)]
  const blocks = [' ', '▄', '▀', '█'] as const
  return Array.from({ length: Math.ceil(rows / 2) }, (_row, row) =>
    Array.from(
      { length: columns },
      (_column, x) =>
        blocks[
          ((ink(x, row * 2) > 0.4 ? 2 : 0) +
            (row * 2 + 1 < rows && ink(x, row * 2 + 1) > 0.4 ? 1 : 0)) as 0 | 1 | 2 | 3
        ],
    )
      .join('')
      .trimEnd(),
  )
}
