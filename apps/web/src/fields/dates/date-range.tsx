import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import { daysOfPeriod, periods } from '@jiaowu/api/entity/list/periods'
import { schoolDay } from '@jiaowu/api/formats'
import { DateRangeInput } from '@blueprintjs/datetime'
import { format, startOfDay } from 'date-fns'
import { useEffect, useMemo, useRef } from 'react'
import { useText } from '../../app/text-context.ts'
import { useTimeOfMount } from '../../app/use-time-of-mount.ts'
import type { QueryProps } from '../field-types.ts'
import { calendarProps, parseInput, patterns } from './calendar-values.ts'
import type { DateKind } from './date-kinds.ts'

type DateRangeEnds = [Date, Date]

export function DateRange({
  kind,
  id,
  value,
  onChange,
  entered,
}: Pick<QueryProps, 'id' | 'value' | 'onChange'> & {
  readonly kind: DateKind
  /** The end whose input had the focus before the calendars were there. */
  readonly entered: number
}) {
  const { t, locale } = useText()
  const now = useTimeOfMount()
  const shortcuts = useMemo(() => {
    const today = schoolDay(now)
    return periods.flatMap((period) => {
      const [from, to] = (daysOfPeriod(period, today) ?? []).map(parseInput)
      return from == null || to == null
        ? []
        : [{ label: t(`period.${period}`), dateRange: [from, to] as DateRangeEnds }]
    })
  }, [t, now])
  const box = useWithoutAriaExpanded()
  useEffect(() => {
    if (document.activeElement === document.body)
      box.current?.querySelectorAll('input')[entered]?.focus()
  }, [box, entered])
  const ends = Array.isArray(value) ? (value as unknown[]) : [null, null]
  const [from, to] = ends.map((end) => (typeof end === 'string' ? parseInput(end) : null))
  // An end without a clock covers its whole day (docs/rules/contract.md#ranges).
  const text = (date: Date | null) =>
    date === null
      ? null
      : format(date, date.getTime() === startOfDay(date).getTime() ? patterns.date : patterns[kind])
  return (
    <div ref={box}>
      <DateRangeInput
        {...calendarProps(kind, locale)}
        className="jw-fill"
        allowSingleDayRange
        contiguousCalendarMonths
        singleMonthOnly
        shortcuts={shortcuts}
        value={[from ?? null, to ?? null]}
        onChange={([start, end]) =>
          onChange(start === null && end === null ? null : [text(start), text(end)])
        }
        startInputProps={{ id, placeholder: patterns.date.toUpperCase() }}
        endInputProps={{ placeholder: patterns.date.toUpperCase() }}
        popoverProps={{ placement: 'bottom-start' }}
      />
    </div>
  )
}

/**
 * Removes `aria-expanded` and `aria-haspopup`, which Blueprint sets on the group of the two inputs:
 * ARIA does not allow them on a group.
 */
function useWithoutAriaExpanded() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const group = box.current?.querySelector('[aria-expanded]')
    if (group === null || group === undefined) return undefined
    const clear = () => {
      group.removeAttribute('aria-expanded')
      group.removeAttribute('aria-haspopup')
    }
    const observer = new MutationObserver(clear)
    clear()
    observer.observe(group, { attributeFilter: ['aria-expanded', 'aria-haspopup'] })
    return () => observer.disconnect()
  }, [])
  return box
}
