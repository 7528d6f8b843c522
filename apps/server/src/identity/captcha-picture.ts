import { randomInt } from 'node:crypto'
import sharp from 'sharp'

// Letters as strokes in a box of 10 × 14, because a machine without fonts could not render text.
const strokes: Readonly<Record<string, string>> = {
  A: 'M0 14 L5 0 L10 14 M2 9 L8 9',
  B: 'M0 0 L0 14 L6 14 Q10 14 10 10.5 Q10 7 6 7 L0 7 M6 7 Q9 7 9 3.5 Q9 0 6 0 L0 0',
  C: 'M10 2.5 Q8.5 0 5.5 0 Q0 0 0 7 Q0 14 5.5 14 Q8.5 14 10 11.5',
  D: 'M0 0 L0 14 L4 14 Q10 14 10 7 Q10 0 4 0 L0 0',
  E: 'M10 0 L0 0 L0 14 L10 14 M0 7 L7.5 7',
  F: 'M10 0 L0 0 L0 14 M0 7 L7.5 7',
  G: 'M10 2.5 Q8.5 0 5.5 0 Q0 0 0 7 Q0 14 5.5 14 Q10 14 10 8 L6 8',
  H: 'M0 0 L0 14 M10 0 L10 14 M0 7 L10 7',
  J: 'M9 0 L9 10 Q9 14 5 14 Q1 14 1 10.5',
  K: 'M0 0 L0 14 M10 0 L0 8.5 M3.5 5.5 L10 14',
  M: 'M0 14 L0 0 L5 8 L10 0 L10 14',
  N: 'M0 14 L0 0 L10 14 L10 0',
  P: 'M0 14 L0 0 L6 0 Q10 0 10 4 Q10 8 6 8 L0 8',
  Q: 'M5 0 Q0 0 0 7 Q0 14 5 14 Q10 14 10 7 Q10 0 5 0 M6 9.5 L10.5 14.5',
  R: 'M0 14 L0 0 L6 0 Q10 0 10 4 Q10 8 6 8 L0 8 M5 8 L10 14',
  S: 'M9.5 2.5 Q8 0 5 0 Q0.5 0 0.5 3.5 Q0.5 6.5 5 7 Q10 7.5 10 10.5 Q10 14 5 14 Q1.5 14 0 11.5',
  T: 'M0 0 L10 0 M5 0 L5 14',
  U: 'M0 0 L0 9 Q0 14 5 14 Q10 14 10 9 L10 0',
  V: 'M0 0 L5 14 L10 0',
  W: 'M0 0 L2.5 14 L5 5 L7.5 14 L10 0',
  X: 'M0 0 L10 14 M10 0 L0 14',
  Y: 'M0 0 L5 7 L10 0 M5 7 L5 14',
  Z: 'M0 0 L10 0 L0 14 L10 14',
  2: 'M0 3.5 Q0.5 0 5 0 Q10 0 10 3.7 Q10 6 7 8.5 L0 14 L10 14',
  3: 'M0.5 1.8 Q2 0 5 0 Q9.5 0 9.5 3.5 Q9.5 7 5 7 Q10 7 10 10.5 Q10 14 5 14 Q1.5 14 0 11.8',
  4: 'M7.5 14 L7.5 0 L0 10 L10 10',
  5: 'M9.5 0 L1 0 L0.5 6.5 Q2.5 5 5 5 Q10 5 10 9.5 Q10 14 5 14 Q1.5 14 0 12',
  6: 'M9 1.5 Q7.5 0 5.5 0 Q0 0 0 8 Q0 14 5 14 Q10 14 10 9.5 Q10 5.5 5 5.5 Q1 5.5 0 9',
  7: 'M0 0 L10 0 L4 14',
  9: 'M10 5 Q9 8.5 5 8.5 Q0 8.5 0 4.5 Q0 0 5 0 Q10 0 10 6 Q10 14 4.5 14 Q2.5 14 1 12.5',
}
/** 30 characters without look-alikes: no 0, O, 1, I, L, 8 (docs/rules/security.md#sign-in). */
export const captchaLetters: readonly string[] = Object.keys(strokes)

const [width, height] = [128, 44]
const between = (low: number, high: number): number => low + (randomInt(1001) / 1000) * (high - low)
const colour = (lightness: number) => `hsl(${randomInt(360)},${randomInt(35, 65)}%,${lightness}%)`
const many = (count: number, draw: () => string) => Array.from({ length: count }, draw).join('')

/** A PNG picture, because a script could read the letters of an SVG. */
export function drawCaptcha(answer: string): Promise<Buffer> {
  const glyphs = [...answer.toUpperCase()].map(glyph).join('')
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
        `<rect width="${width}" height="${height}" fill="#f4f6f8"/>` +
        `${many(4, curve)}${glyphs}${many(1, curve)}${many(36, dot)}</svg>`,
    ),
  )
    .png()
    .toBuffer()
}

function glyph(letter: string, place: number): string {
  const size = between(1.5, 1.85)
  const transform = [
    `translate(${between(13, 17) + place * 27} ${between(6, 12)})`,
    `rotate(${between(-20, 20)} 9 13)`,
    `skewX(${between(-10, 10)})`,
    `scale(${size})`,
  ].join(' ')
  return (
    `<g transform="${transform}"><path d="${distorted(strokes[letter] ?? '')}" fill="none" ` +
    `stroke="${colour(33)}" stroke-width="${between(1.4, 1.9)}" ` +
    `stroke-linecap="round" stroke-linejoin="round"/></g>`
  )
}

/** Moves every point of a letter a little, so that no two pictures are the same. */
function distorted(path: string): string {
  return path.replace(/\d+(\.\d+)?/g, (point) => (Number(point) + between(-0.6, 0.6)).toFixed(2))
}

function curve() {
  const point = () => `${randomInt(width)} ${randomInt(height)}`
  const path = `M0 ${randomInt(height)} C ${point()}, ${point()}, ${width} ${randomInt(height)}`
  return `<path d="${path}" stroke="${colour(58)}" stroke-width="1.3" fill="none"/>`
}

function dot() {
  return `<circle cx="${randomInt(width)}" cy="${randomInt(height)}" r="0.9" fill="${colour(50)}"/>`
}
