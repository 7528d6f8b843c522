import { randomInt } from 'node:crypto'
import { capitals, smalls } from './captcha-letters.ts'

/** 30 characters without look-alikes: no 0, O, 1, I, L, 8 (docs/rules/security.md#sign-in). */
export const captchaLetters: readonly string[] = Object.keys(capitals)

/** From 0 to 1, without 1. Tests pass a seeded one. */
export type Random = () => number
const secureRandom: Random = () => randomInt(2 ** 32) / 2 ** 32

interface Point {
  readonly x: number
  readonly y: number
}
type Line = readonly Point[]
type Warp = (point: Point) => Point
type Kind = 'ink' | 'ground'

const [width, height] = [150, 52]

/**
 * A PNG picture, because a script could read the letters of an SVG. Letters touch or overlap, so that
 * they cannot be cut apart; noise has their hue, their thickness and their lightness; capitals and small
 * letters are drawn with three pens, and every letter is bent (docs/rules/security.md#sign-in).
 */
export async function drawCaptcha(answer: string, random: Random = secureRandom): Promise<Buffer> {
  const pen = pickPen(random)
  const wave = buildWave(pen)
  const letters = drawLetters(pen, answer.toUpperCase())
  const arcs = (count: number, kind: Kind, least: number, most: number) =>
    pen.times(count, () => pen.stroke(arc(pen).map(wave), kind, pen.between(least, most)))
  const parts = [
    `<rect width="${width}" height="${height}" fill="${pen.colour('ground')}"/>`,
    ...pen.times(110, () => pen.blot('ground', 4, 13)),
    ...pen.times(20, () => pen.blot('ink', 0.7, 2)),
    ...arcs(3, 'ink', 1.8, 3),
    ...letters.flatMap(({ lines, style }) =>
      lines.map((line) => styles[style](pen, line.map(wave))),
    ),
    ...arcs(2, 'ground', 0.9, 1.4),
    ...pen.times(26, () => pen.blot('ground', 0.6, 1.5)),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`
  // Loaded by the first picture: a server that starts needs none.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png().toBuffer()
}

type Pen = ReturnType<typeof pickPen>

function pickAngle([from, to]: Line): number {
  return from === undefined || to === undefined ? 0 : Math.atan2(to.y - from.y, to.x - from.x)
}

function pickPen(random: Random) {
  const between = (low: number, high: number) => low + random() * (high - low)
  const times = <T>(count: number, draw: () => T) => Array.from({ length: count }, draw)
  /** The same range of lightness for both; blue against orange, which most colour-blind people tell apart. */
  const colour = (kind: Kind) => {
    const lightness = between(112, 160)
    const [blue, red] =
      kind === 'ink' ? [between(34, 54), between(-30, -6)] : [between(-60, -34), between(10, 34)]
    return rgb(lightness, blue, red)
  }
  const blot = (kind: Kind, least: number, most: number) =>
    `<ellipse cx="${between(0, width).toFixed(1)}" cy="${between(0, height).toFixed(1)}" ` +
    `rx="${between(least, most).toFixed(1)}" ry="${between(least, most).toFixed(1)}" ` +
    `fill="${colour(kind)}"/>`
  /** In pieces of different lightness. A width by angle makes one for each step of the line. */
  const stroke = (line: Line, kind: Kind, width: number | ((angle: number) => number)) => {
    const parts: string[] = []
    const size = typeof width === 'number' ? 5 : 1
    let shade = ''
    for (let at = 0; at < line.length - 1; at += size) {
      if (at % 5 === 0) shade = colour(kind)
      const points = line.slice(at, at + size + 1)
      const thickness = typeof width === 'number' ? width : width(pickAngle(points))
      parts.push(
        `<polyline points="${points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}" ` +
          `fill="none" stroke="${shade}" stroke-width="${thickness.toFixed(1)}" ` +
          'stroke-linecap="round" stroke-linejoin="round"/>',
      )
    }
    return parts.join('')
  }
  return { between, times, colour, blot, stroke }
}

/** The pens of letters. */
const styles = {
  round: (pen: Pen, line: Line) => pen.stroke(line, 'ink', pen.between(2.9, 3.9)),
  /** A broad nib: thick where it moves down, thin where it moves across. */
  nib: (pen: Pen, line: Line) =>
    pen.stroke(line, 'ink', (angle) => 2.2 + 2.6 * Math.abs(Math.sin(angle - 0.35))),
  /** Two edges around a gap. */
  hollow: (pen: Pen, line: Line) =>
    pen.stroke(line, 'ink', pen.between(4.8, 5.4)) +
    pen.stroke(line, 'ground', pen.between(1.2, 1.5)),
} satisfies Readonly<Record<string, (pen: Pen, line: Line) => string>>
type Style = keyof typeof styles
const styleNames = Object.keys(styles) as Style[]

/** The strokes of the letters in their places, each letter with its pen. */
function drawLetters(pen: Pen, answer: string) {
  const wides = [...answer].map(() => pen.between(1.9, 2.45))
  // Neighbours touch, or overlap where they are bent.
  const steps = wides.map(
    (wide, at) => (wide + (wides[at + 1] ?? wide)) * 5 * pen.between(1.03, 1.2),
  )
  const length = steps.slice(0, -1).reduce((sum, step) => sum + step, 0)
  let centre = pen.between(16, Math.max(17, width - 16 - length))
  return [...answer].map((letter, at) => {
    const path = pen.between(0, 1) < 0.35 ? smalls[letter] : undefined
    const warp = letterWarp(pen, centre, wides[at] ?? 2)
    centre += steps[at] ?? 0
    return {
      lines: drawLines(path ?? capitals[letter] ?? '').map((line) => line.map(warp)),
      style: styleNames[Math.floor(pen.between(0, styleNames.length))] ?? 'round',
    }
  })
}

/** From lightness and the two colour differences of video (ITU-R BT.601). */
function rgb(lightness: number, blue: number, red: number): string {
  const channels = [
    lightness + 1.402 * red,
    lightness - 0.344 * blue - 0.714 * red,
    lightness + 1.772 * blue,
  ]
  return `rgb(${channels.map((value) => Math.round(Math.min(255, Math.max(0, value)))).join(',')})`
}

/** Bends, turns and stretches a letter of the box around its place. */
function letterWarp(pen: Pen, centreX: number, wide: number): Warp {
  const turn = (pen.between(-18, 18) * Math.PI) / 180
  const high = pen.between(1.9, 2.5)
  const [slant, bow, sag] = [
    pen.between(-0.2, 0.2),
    pen.between(-0.05, 0.05),
    pen.between(-0.05, 0.05),
  ]
  const [pinchTop, pinchBottom] = [pen.between(0.74, 1.22), pen.between(0.74, 1.22)]
  const centre = { x: centreX, y: pen.between(21, 31) }
  return ({ x, y }) => {
    const [fromTop, fromLeft] = [y - 7, x - 5]
    const pinch = pinchTop + ((pinchBottom - pinchTop) * y) / 14
    const bentX = (fromLeft * pinch + slant * fromTop + bow * fromTop * fromTop) * wide
    const bentY = (fromTop + sag * fromLeft * fromLeft) * high
    return {
      x: centre.x + bentX * Math.cos(turn) - bentY * Math.sin(turn),
      y: centre.y + bentX * Math.sin(turn) + bentY * Math.cos(turn),
    }
  }
}

/** Bends the whole picture, noise included. */
function buildWave(pen: Pen): Warp {
  const [tall, long] = [pen.between(1.2, 3), pen.between(42, 85)]
  const [broad, short] = [pen.between(1, 2.2), pen.between(24, 46)]
  const [phase, other] = [pen.between(0, 6.3), pen.between(0, 6.3)]
  return ({ x, y }) => ({
    x: x + broad * Math.sin((y / short) * 6.3 + other),
    y: y + tall * Math.sin((x / long) * 6.3 + phase),
  })
}

/** A curve about as long and bent as the strokes of a letter or two. */
function arc(pen: Pen): Line {
  const [from, over, to] = [
    { x: pen.between(0, width - 30), y: pen.between(4, height - 4) },
    { x: pen.between(-12, 12), y: pen.between(-26, 26) },
    { x: pen.between(28, 62), y: pen.between(-18, 18) },
  ]
  return curve(
    from,
    { x: from.x + to.x / 2 + over.x, y: from.y + over.y },
    { x: from.x + to.x, y: from.y + to.y },
  )
}

const steps = 10
function curve(from: Point, over: Point, to: Point): Point[] {
  return Array.from({ length: steps + 1 }, (_none, step) => {
    const t = step / steps
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
    return { x: a * from.x + b * over.x + c * to.x, y: a * from.y + b * over.y + c * to.y }
  })
}

/** The strokes of a path as points close enough to be bent. */
function drawLines(path: string): Line[] {
  const lines: Point[][] = []
  for (const [, command, numbers = ''] of path.matchAll(/([MLQ])([^MLQ]+)/g)) {
    const [a = 0, b = 0, c = 0, d = 0] = numbers.trim().split(/\s+/).map(Number)
    const line = lines.at(-1)
    const last = line?.at(-1)
    if (command === 'M' || line === undefined || last === undefined) {
      lines.push([{ x: a, y: b }])
      continue
    }
    const to = command === 'Q' ? { x: c, y: d } : { x: a, y: b }
    const over =
      command === 'Q' ? { x: a, y: b } : { x: (last.x + to.x) / 2, y: (last.y + to.y) / 2 }
    line.push(...curve(last, over, to).slice(1))
  }
  return lines
}
