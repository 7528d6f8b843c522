import { create } from 'qrcode'
import { ink, type Paper } from './paper.ts'

/** A QR code as one vector path, to stay sharp in print. */
export function drawQr(paper: Paper, text: string, x: number, y: number, size: number): void {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const unit = size / modules.size
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      let run = 0
      while (column + run < modules.size && modules.get(row, column + run) !== 0) run += 1
      if (run > 0) paper.rect(x + column * unit, y + row * unit, run * unit, unit)
      column += run
    }
  }
  paper.fill(ink.text)
}
