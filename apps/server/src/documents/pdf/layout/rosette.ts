import { ink, type Paper, sheet } from './paper.ts'

/** Two woven rings: radius, wave height, waves per turn, threads. */
const rings = [
  { radius: 148, wave: 30, waves: 16, threads: 8 },
  { radius: 84, wave: 26, waves: 12, threads: 6 },
] as const
const pointsAWave = 14
const roundToTenth = (value: number) => Math.round(value * 10) / 10

/**
 * Fine woven lines behind the text, as on security paper, which photocopies lose. Only final
 * documents have them.
 */
export function drawRosette(paper: Paper): void {
  const [x, y] = [sheet.width / 2, sheet.height / 2 + 10]
  paper.save()
  paper.lineWidth(0.3).strokeColor(ink.guilloche)
  for (const { radius, wave, waves, threads } of rings) {
    for (let thread = 0; thread < threads; thread += 1) {
      for (let i = 0; i <= waves * pointsAWave; i += 1) {
        const angle = (i / (waves * pointsAWave)) * 2 * Math.PI
        const r = radius + wave * Math.sin(waves * angle + (thread / threads) * 2 * Math.PI)
        const [px, py] = [
          roundToTenth(x + r * Math.cos(angle)),
          roundToTenth(y + r * Math.sin(angle)),
        ]
        if (i === 0) paper.moveTo(px, py)
        else paper.lineTo(px, py)
      }
    }
  }
  paper.stroke()
  paper.restore()
}
