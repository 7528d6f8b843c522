import { ink, type Paper } from './paper.ts'

/** Diameter 42 mm, as usual for a school's seal. */
export const sealSize = 119
const radius = sealSize / 2

const [tall, rim, manyCharacters] = [1.16, 5, 11]

/** A round seal in vermilion: office and school in the ring, the star in the middle. */
export function drawSeal(paper: Paper, x: number, y: number, words: string): void {
  paper.save()
  paper.opacity(0.9).rotate(-3, { origin: [x, y] })
  paper
    .lineWidth(2.8)
    .strokeColor(ink.seal)
    .circle(x, y, radius - 1.4)
    .stroke()
  star(paper, x, y, 20)
  ringText(paper, words, x, y)
  paper.restore()
}

function star(paper: Paper, x: number, y: number, r: number): void {
  const points = Array.from({ length: 10 }, (_none, i) => {
    const [angle, length] = [(i * Math.PI) / 5 - Math.PI / 2, i % 2 === 0 ? r : r * 0.382]
    return [x + length * Math.cos(angle), y + length * Math.sin(angle)] as [number, number]
  })
  paper.polygon(...points).fill(ink.seal)
}

/**
 * Characters around the upper part of the ring, narrowed when there are many. The lower part stays
 * free for the date.
 */
function ringText(paper: Paper, text: string, x: number, y: number): void {
  const characters = [...text]
  const many = characters.length > manyCharacters
  const letterSize = many ? 12 : 17
  const span = (many ? 1.5 : Math.min(1.16, 0.2 + characters.length * 0.145)) * Math.PI
  const [step, from] = [
    span / Math.max(1, characters.length - 1),
    characters.length === 1 ? -Math.PI / 2 : -Math.PI / 2 - span / 2,
  ]
  const narrow = Math.min(1, (step * (radius - rim - letterSize / 2)) / (letterSize * 1.1))
  paper.face('strong').fontSize(letterSize).fillColor(ink.seal)
  characters.forEach((character, i) => {
    paper.save()
    paper
      .translate(x, y)
      .rotate(((from + i * step) * 180) / Math.PI + 90)
      .scale(narrow, tall)
    // The line height of a CJK font is 1.5 times its characters; a quarter of them is above.
    paper.text(
      character,
      -paper.widthOfString(character) / 2,
      -(radius - rim) / tall - letterSize * 0.24,
      { lineBreak: false },
    )
    paper.restore()
  })
}
