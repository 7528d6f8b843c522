import QRCode from 'qrcode'

const margin = 2 // modules; the standard asks for four, but phones read two, and terminals are small
const blocks = [' ', '▄', '▀', '█'] as const

/**
 * QR code as lines of half blocks, two modules per character. Filled blocks are the light modules,
 * so that the code is readable on a dark terminal without colours; a screen with colours prints it
 * white on black. The lowest level of correction, since a screen has no stains: each line counts on 24.
 */
export function qrLines(text: string): string[] {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'L' })
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
