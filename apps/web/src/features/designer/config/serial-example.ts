import type { SerialSegment } from '@jiaowu/api/entity/definition/definition'

/** Digits of a day that each format keeps. */
const dateLengths = { 1: 4, 2: 6, 3: 8 } as const

/**
 * The `n`th serial number of `day`, composed like on the server.
 * @param day `YYYY-MM-DD`
 */
export function serialExample(segments: readonly SerialSegment[], n: number, day: string): string {
  return segments
    .map((segment) =>
      segment.type === 1
        ? String(n).padStart(segment.length, '0')
        : segment.type === 2
          ? day.replaceAll('-', '').slice(0, dateLengths[segment.format])
          : segment.text,
    )
    .join('')
}
