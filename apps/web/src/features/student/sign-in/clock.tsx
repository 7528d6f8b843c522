import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { schoolTime } from '@jiaowu/api/formats'
import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import { useEffect, useState } from 'react'
import { useText } from '../../../app/text-context.ts'

const formats = new Map<Locale, Intl.DateTimeFormat>()

/**
 * Date and time of the school, updated every half second (docs/spec/2-student-service-and-designer.md §9); screen
 * readers do not announce it.
 */
export function Clock() {
  const { locale } = useText()
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), limits.clockTick)
    return () => clearInterval(timer)
  }, [])
  return (
    <time className="jw-clock" dateTime={schoolTime(now)} aria-live="off">
      {findDateFormat(locale).format(now)}
    </time>
  )
}

function findDateFormat(locale: Locale): Intl.DateTimeFormat {
  const known = formats.get(locale)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    timeZone: schoolTimeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(locale, made)
  return made
}
