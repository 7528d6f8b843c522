import { create } from 'qrcode'
import { useMemo } from 'react'

const quietZone = 4 // modules of white around a code (ISO/IEC 18004)

/**
 * QR code with the highest error correction, as one SVG path
 * (docs/spec/2-student-service-and-designer.md §9). Dark on white in every theme, as scanners
 * require.
 */
export function QrCode({
  text,
  size,
  label,
}: {
  readonly text: string
  readonly size: number
  readonly label: string
}) {
  const { path, side } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'H' })
    const dark: string[] = []
    for (let y = 0; y < modules.size; y += 1)
      for (let x = 0; x < modules.size; x += 1)
        if (modules.get(y, x) === 1) dark.push(`M${x + quietZone} ${y + quietZone}h1v1h-1z`)
    return { path: dark.join(''), side: modules.size + 2 * quietZone }
  }, [text])
  return (
    <svg
      className="jw-qr"
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
