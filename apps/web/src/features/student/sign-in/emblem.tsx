const ring = [0, Math.PI].map((phase) => guilloche(32, 27, 2.2, 24, phase))
const bands = [
  [180, 13, 30],
  [146, 15, 24],
  [112, 13, 18],
  [82, 11, 15],
] as const
const rosette = bands.flatMap(([radius, swing, petals]) =>
  Array.from({ length: 6 }, (_each, i) => guilloche(200, radius, swing, petals, (i * Math.PI) / 3)),
)

/** Product emblem: a doctor's cap inside an engraved ring, in the colour of the text. */
export function Emblem({ size = 40 }: { readonly size?: number }) {
  return (
    <svg
      className="jw-emblem"
      width={size}
      height={size}
      viewBox="0 0 64 64"
      fill="none"
      stroke="currentColor"
      aria-hidden
      focusable="false"
    >
      <circle cx="32" cy="32" r="31" strokeWidth="1.2" />
      {ring.map((path) => (
        <path key={path} d={path} strokeWidth="0.8" />
      ))}
      <circle cx="32" cy="32" r="22.4" strokeWidth="1.2" />
      <path d="M32 20 15.500 27.500 32 35l16.500-7.500L32 20Z" fill="currentColor" stroke="none" />
      <path
        d="M22.500 33v7.200c0 2.200 4.200 4.300 9.500 4.300s9.500-2.100 9.500-4.300V33L32 37.400 22.500 33Z"
        fill="currentColor"
        stroke="none"
        opacity=".82"
      />
      <path d="M46.200 29v8.500" strokeWidth="1.800" strokeLinecap="round" />
    </svg>
  )
}

/** Large faint rosette of the same engraving, as a background of text. */
export function Rosette() {
  return (
    <svg
      className="jw-rosette"
      viewBox="0 0 400 400"
      fill="none"
      stroke="currentColor"
      strokeWidth=".7"
      aria-hidden
      focusable="false"
    >
      {rosette.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}

/**
 * SVG path of one line of a guilloche (the pattern on certificates): a circle whose radius
 * oscillates `petals` times.
 */
function guilloche(
  centre: number,
  radius: number,
  swing: number,
  petals: number,
  phase: number,
): string {
  const samples = petals * 24
  const point = (i: number) => {
    const angle = (i / samples) * 2 * Math.PI
    const r = radius + swing * Math.sin(petals * angle + phase)
    return `${(centre + r * Math.cos(angle)).toFixed(2)} ${(centre + r * Math.sin(angle)).toFixed(2)}`
  }
  return `M${Array.from({ length: samples }, (_each, i) => point(i)).join('L')}Z`
}
