// Reads captchas as an attacker would who has the program: it draws labelled samples, and matches them
// against the places of the letters.
import sharp from 'sharp'

/** Ink of a picture, 0 or 1 for each pixel. */
interface Ink {
  readonly width: number
  readonly height: number
  readonly at: Uint8Array
}
type Draw = (answer: string) => Promise<Buffer>

const samplesPerLetter = 24
/** The size of a letter's window, in pixels of the scaled picture. */
const [boxWidth, boxHeight] = [20, 28]
const scaledHeight = 30

interface Reader {
  readonly read: (picture: Buffer) => Promise<string>
}

/** Learns from 24 drawn samples of each letter. */
export async function createReader(draw: Draw, letters: readonly string[]): Promise<Reader> {
  const samples: { letter: string; box: Float32Array }[] = []
  for (const letter of letters)
    for (let n = 0; n < samplesPerLetter / 4; n += 1) {
      const ink = await extractInk(await draw(letter.repeat(4)))
      for (let place = 0; place < 4; place += 1) {
        const box = boxAt(ink, findCentre(ink, place), 0)
        if (box !== null) samples.push({ letter, box })
      }
    }
  return {
    read: async (picture) => {
      const ink = await extractInk(picture)
      return Array.from({ length: 4 }, (_none, place) => bestLetter(samples, ink, place)).join('')
    },
  }
}

function bestLetter(
  samples: readonly { letter: string; box: Float32Array }[],
  ink: Ink,
  place: number,
): string {
  const centre = findCentre(ink, place)
  let [best, letter] = [-1, '']
  for (const dx of [-6, -3, 0, 3, 6])
    for (const dy of [-3, 0, 3]) {
      const box = boxAt(ink, centre + dx, dy)
      if (box === null) continue
      for (const sample of samples) {
        const score = dot(box, sample.box)
        if (score > best) [best, letter] = [score, sample.letter]
      }
    }
  return letter
}

/** Columns of ink between the edges, shared by four letters. */
function findCentre({ width, height, at }: Ink, place: number): number {
  const columns = Array.from({ length: width }, (_none, x) => {
    let sum = 0
    for (let y = 0; y < height; y += 1) sum += at[y * width + x] ?? 0
    return sum
  })
  const total = columns.reduce((sum, each) => sum + each, 0)
  const edge = (share: number) => {
    let sum = 0
    return columns.findIndex((each) => (sum += each) >= total * share)
  }
  const [from, to] = [edge(0.03), edge(0.97)]
  return Math.round(from + ((to - from) * (place + 0.5)) / 4)
}

/** A window as a vector of length 1, blurred a little so that near misses still match. */
function boxAt({ width, height, at }: Ink, centre: number, dy: number): Float32Array | null {
  const box = new Float32Array(boxWidth * boxHeight)
  const [left, top] = [Math.round(centre - boxWidth / 2), Math.round((height - boxHeight) / 2) + dy]
  let sum = 0
  for (let y = 0; y < boxHeight; y += 1)
    for (let x = 0; x < boxWidth; x += 1) {
      let value = 0
      for (const [ox, oy, weight] of blur) {
        const [px, py] = [left + x + ox, top + y + oy]
        if (px >= 0 && px < width && py >= 0 && py < height)
          value += weight * (at[py * width + px] ?? 0)
      }
      box[y * boxWidth + x] = value
      sum += value
    }
  const mean = sum / box.length
  let norm = 0
  for (let i = 0; i < box.length; i += 1) {
    box[i] = (box[i] ?? 0) - mean
    norm += (box[i] ?? 0) ** 2
  }
  if (norm === 0) return null
  for (let i = 0; i < box.length; i += 1) box[i] = (box[i] ?? 0) / Math.sqrt(norm)
  return box
}
const blur = [
  [0, 0, 4],
  [1, 0, 2],
  [-1, 0, 2],
  [0, 1, 2],
  [0, -1, 2],
  [1, 1, 1],
  [-1, -1, 1],
  [1, -1, 1],
  [-1, 1, 1],
] as const

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Splits the pixels in two by the colour channel that separates best, whichever that is. */
async function extractInk(png: Buffer): Promise<Ink> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .resize({ height: scaledHeight })
    .blur(0.6)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const count = info.width * info.height
  const channels = [
    (r: number, g: number, b: number) => 0.3 * r + 0.59 * g + 0.11 * b,
    (r: number, _g: number, b: number) => (r - b) / 2 + 128,
    (r: number, g: number) => (r - g) / 2 + 128,
    (_r: number, g: number, b: number) => (g - b) / 2 + 128,
  ].map((of) => {
    const values = new Float32Array(count)
    for (let i = 0; i < count; i += 1)
      values[i] = of(data[i * 3] ?? 0, data[i * 3 + 1] ?? 0, data[i * 3 + 2] ?? 0)
    return { values, ...otsu(values) }
  })
  const best = channels.toSorted((a, b) => b.between - a.between)[0]
  const at = new Uint8Array(count)
  let dark = 0
  for (let i = 0; i < count; i += 1) {
    at[i] = (best?.values[i] ?? 0) < (best?.threshold ?? 0) ? 1 : 0
    dark += at[i] ?? 0
  }
  // Letters cover less than half of a picture.
  if (dark > count / 2) for (let i = 0; i < count; i += 1) at[i] = 1 - (at[i] ?? 0)
  return { width: info.width, height: info.height, at }
}

/** The threshold that separates two groups best, and how far apart they are. */
function otsu(values: Float32Array): { threshold: number; between: number } {
  const histogram = new Float64Array(256)
  for (const value of values) {
    const level = Math.min(255, Math.max(0, Math.round(value)))
    histogram[level] = (histogram[level] ?? 0) + 1
  }
  const total = values.length
  const all = histogram.reduce((sum, count, level) => sum + count * level, 0)
  let [below, sumBelow, threshold, between] = [0, 0, 0, 0]
  for (let level = 0; level < 256; level += 1) {
    below += histogram[level] ?? 0
    sumBelow += level * (histogram[level] ?? 0)
    if (below === 0 || below === total) continue
    const distance = sumBelow / below - (all - sumBelow) / (total - below)
    const spread = below * (total - below) * distance * distance
    if (spread > between) [between, threshold] = [spread, level + 1]
  }
  return { threshold, between: between / total / total }
}
