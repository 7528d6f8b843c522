import { ink, type Paper, sheet, measureWidth } from './paper.ts'

const size = 22

/**
 * The text across the whole page, above the content, so that a preview cannot pass for the
 * document.
 */
export function drawWatermark(paper: Paper, words: string, person: string): void {
  const line = `${words}　${person}`
  const width = measureWidth(paper, line, { face: 'strong', size }) + 60
  paper.save()
  paper.rotate(-32, { origin: [sheet.width / 2, sheet.height / 2] })
  paper.face('strong').fontSize(size).fillColor(ink.mark).opacity(0.2)
  let row = 0
  for (let y = -180; y < sheet.height + 180; y += 118) {
    for (let x = -260 - (row % 2) * (width / 2); x < sheet.width + 260; x += width)
      paper.text(line, x, y, { lineBreak: false })
    row += 1
  }
  paper.restore()
}
