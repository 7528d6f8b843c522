import QRCode from 'qrcode'

const margin = 2 // modules; four are asked for, two are enough for phones and leave room on a small terminal
const blocks = [' ', '▄', '▀', '█'] as const

/**
 * A QR code as lines of half blocks, two modules to a character. What is filled is light: dark modules stay as a dark terminal is, so that
 * it reads without colours as well. A screen with colours prints it white on black.
 */
export function qrLines(text: string): string[] {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const size = modules.size + margin * 2
  const isLight = (x: number, y: number): boolean => {
    const [column, row] = [x - margin, y - margin]
    return (
      y < size &&
      (column < 0 ||
        row < 0 ||
        column >= modules.size ||
        row >= modules.size ||
        modules.get(row, column) === 0)
    )
  }
  return Array.from({ length: Math.ceil(size / 2) }, (_line, line) =>
    Array.from(
      { length: size },
      (_cell, x) =>
        blocks[
          ((isLight(x, line * 2) ? 2 : 0) + (isLight(x, line * 2 + 1) ? 1 : 0)) as 0 | 1 | 2 | 3
        ],
    ).join(''),
  )
}
