import type { SerialSegment } from '@jiaowu/api'
import { format } from 'date-fns'

const dateFormats = { 1: 'yyyy', 2: 'yyyyMM', 3: 'yyyyMMdd' } as const

/** The `n`th serial number of `day`, composed like on the server. */
export function serialExample(segments: readonly SerialSegment[], n: number, day: Date): string {
  return segments
    .map((segment) =>
      segment.type === 1
        ? String(n).padStart(segment.length, '0')
        : segment.type === 2
          ? format(day, dateFormats[segment.format])
          : segment.text,
    )
    .join('')
}
