import { PNG } from 'pngjs'

/** Whether a pixel is part of what is drawn. */
type Ink = (x: number, y: number) => boolean

/**
 * A PNG as lines of half blocks, two pixels per character, without colours, for any terminal. What is
 * drawn is dark on light; or, in a captcha, blue on ground of the same lightness.
 * @param maxWidth columns; a wider picture is scaled down
 */
export function halfBlocks(bytes: Uint8Array, maxWidth = 78): string[] {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes))
  const step = Math.max(1, width / maxWidth)
  const isColoured = computeVariance(data, blueness) > computeVariance(data, darkness)
  const ink: Ink = (x, y) => {
    const at =
      (Math.min(height - 1, Math.floor(y * step)) * width +
        Math.min(width - 1, Math.floor(x * step))) *
      4
    return isColoured ? blueness(data, at) > 0 : darkness(data, at) > 0.4
  }
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)]
  const blocks = [' ', '▄', '▀', '█'] as const
  return Array.from({ length: Math.ceil(rows / 2) }, (_row, row) =>
    Array.from(
      { length: columns },
      (_column, x) =>
        blocks[
          ((ink(x, row * 2) ? 2 : 0) + (row * 2 + 1 < rows && ink(x, row * 2 + 1) ? 1 : 0)) as
            | 0
            | 1
            | 2
            | 3
        ],
    )
      .join('')
      .trimEnd(),
  )
}

/** Computes the darkness of a pixel on a white background, 0 to 1. */
function darkness(data: Uint8Array, at: number): number {
  const [red = 255, green = 255, blue = 255, opacity = 255] = data.subarray(at, at + 4)
  return (1 - (0.299 * red + 0.587 * green + 0.114 * blue) / 255) * (opacity / 255)
}

function blueness(data: Uint8Array, at: number): number {
  return ((data[at + 2] ?? 0) - (data[at] ?? 0)) / 255
}

/** The variance of a property over all pixels. */
function computeVariance(data: Uint8Array, of: typeof darkness): number {
  let [sum, squares] = [0, 0]
  const count = data.length / 4
  for (let at = 0; at < data.length; at += 4) {
    const value = of(data, at)
    sum += value
    squares += value * value
  }
  return squares / count - (sum / count) ** 2
}
