import { randomInt } from 'node:crypto'

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

/** From 0 to 1, without 1. Tests pass a seeded one. */
export type Random = () => number
const secureRandom: Random = () => randomInt(2 ** 32) / 2 ** 32

interface Point {
  readonly x: number
  readonly y: number
}
type Line = readonly Point[]
type Warp = (point: Point) => Point

const [width, height] = [150, 52]

/**
 * A PNG picture, because a script could read the letters of an SVG. Letters, noise and background
 * share their lightness and differ in hue, noise is drawn like letters, and every letter is bent, so
 * that neither a threshold nor a stencil separates them (docs/rules/security.md#sign-in).
 */
export async function drawCaptcha(answer: string, random: Random = secureRandom): Promise<Buffer> {
  const pen = penOf(random)
  const wave = waveOf(pen)
  const advance = pen.between(28, 31)
  const start = pen.between(9, 142 - advance * 3 - 20)
  const letters = [...answer.toUpperCase()].flatMap((letter, place) =>
    linesOf(strokes[letter] ?? '').map((line) => ({ line, place })),
  )
  const shapes = Array.from({ length: 4 }, (_none, place) =>
    letterWarp(pen, start + place * advance),
  )
  const drawn = letters.map(({ line, place }) =>
    pen.stroke(
      line.map((point) => wave((shapes[place] ?? wave)(point))),
      'ink',
      pen.between(3.2, 4),
    ),
  )
  const parts = [
    `<rect width="${width}" height="${height}" fill="${pen.colour('ground')}"/>`,
    ...pen.times(110, () => pen.blot('ground', 4, 13)),
    ...pen.times(16, () => pen.blot('ink', 0.7, 1.6)),
    ...pen.times(3, () => pen.stroke(arc(pen).map(wave), 'ink', pen.between(1.5, 2.3))),
    ...drawn,
    ...pen.times(2, () => pen.stroke(arc(pen).map(wave), 'ground', pen.between(0.8, 1.3))),
    ...pen.times(22, () => pen.blot('ground', 0.6, 1.4)),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`
  // Loaded by the first picture: a server that starts needs none.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png().toBuffer()
}

type Pen = ReturnType<typeof penOf>

function penOf(random: Random) {
  const between = (low: number, high: number) => low + random() * (high - low)
  const times = <T>(count: number, draw: () => T) => Array.from({ length: count }, draw)
  /** The same range of lightness for both; blue against orange, which most colour-blind people tell apart. */
  const colour = (kind: 'ink' | 'ground') => {
    const lightness = between(112, 160)
    const [blue, red] =
      kind === 'ink' ? [between(34, 54), between(-30, -6)] : [between(-60, -34), between(10, 34)]
    return rgb(lightness, blue, red)
  }
  const blot = (kind: 'ink' | 'ground', least: number, most: number) =>
    `<ellipse cx="${between(0, width).toFixed(1)}" cy="${between(0, height).toFixed(1)}" ` +
    `rx="${between(least, most).toFixed(1)}" ry="${between(least, most).toFixed(1)}" ` +
    `fill="${colour(kind)}"/>`
  /** In pieces of different lightness. */
  const stroke = (line: Line, kind: 'ink' | 'ground', thickness: number) => {
    const parts: string[] = []
    for (let at = 0; at < line.length - 1; at += 5) {
      const points = line.slice(at, at + 6).map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)
      parts.push(
        `<polyline points="${points.join(' ')}" fill="none" stroke="${colour(kind)}" ` +
          `stroke-width="${thickness.toFixed(1)}" stroke-linecap="round" stroke-linejoin="round"/>`,
      )
    }
    return parts.join('')
  }
  return { between, times, colour, blot, stroke }
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

/** Bends, turns and stretches a letter of the box into its place. */
function letterWarp(pen: Pen, left: number): Warp {
  const turn = (pen.between(-20, 20) * Math.PI) / 180
  const [wide, high] = [pen.between(1.6, 2.3), pen.between(1.85, 2.5)]
  const [slant, bow, sag] = [
    pen.between(-0.2, 0.2),
    pen.between(-0.045, 0.045),
    pen.between(-0.05, 0.05),
  ]
  const [pinchTop, pinchBottom] = [pen.between(0.74, 1.22), pen.between(0.74, 1.22)]
  const centre = { x: left + 11, y: pen.between(22, 30) }
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
function waveOf(pen: Pen): Warp {
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
    { x: pen.between(28, 62), y: pen.between(-22, 22) },
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
function linesOf(path: string): Line[] {
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
