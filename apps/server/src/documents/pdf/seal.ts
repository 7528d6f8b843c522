import { ink, type Paper } from './paper.ts'

/** 42 mm across: the usual size of a school's seal. */
export const sealSize = 119
const radius = sealSize / 2

const star = (paper: Paper, x: number, y: number, r: number): void => {
  const points = Array.from({ length: 10 }, (_none, i) => {
    const [angle, length] = [(i * Math.PI) / 5 - Math.PI / 2, i % 2 === 0 ? r : r * 0.382]
    return [x + length * Math.cos(angle), y + length * Math.sin(angle)] as [number, number]
  })
  paper.polygon(...points).fill(ink.seal)
}

/** Characters around the upper part of the ring, narrowed as an engraver does when there are many. */
const ringText = (paper: Paper, text: string, x: number, y: number): void => {
  const characters = [...text]
  const span = Math.min(1.5 * Math.PI, 0.3 * Math.PI + characters.length * 0.155 * Math.PI)
  const [step, from] = [span / Math.max(1, characters.length - 1), -Math.PI / 2 - span / 2]
  const size = 16
  const narrow = Math.min(1, (step * (radius - 16)) / (size * 1.04))
  paper.font('strong').fontSize(size).fillColor(ink.seal)
  characters.forEach((character, i) => {
    const angle = characters.length === 1 ? -Math.PI / 2 : from + i * step
    paper.save()
    paper.translate(x, y).rotate((angle * 180) / Math.PI + 90).scale(narrow, 1.12)
    paper.text(character, -paper.widthOfString(character) / 2, -(radius - 5.5) / 1.12, { lineBreak: false })
    paper.restore()
  })
}

/** A round seal in vermilion: the school's name in the ring, the star, and what the seal is for. */
export const drawSeal = (paper: Paper, x: number, y: number, school: string, purpose: string): void => {
  paper.save()
  paper.opacity(0.86).rotate(-4, { origin: [x, y] })
  paper.lineWidth(2.6).strokeColor(ink.seal).circle(x, y, radius - 1.3).stroke()
  star(paper, x, y - 2, 18)
  ringText(paper, school, x, y)
  paper.font('strong').fontSize(11).fillColor(ink.seal)
  paper.text(purpose, x - radius, y + 24, { width: sealSize, align: 'center', characterSpacing: 0.6, lineBreak: false })
  paper.restore()
}
