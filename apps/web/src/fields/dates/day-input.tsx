import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import { DateInput } from '@blueprintjs/datetime'
import { format, isValid } from 'date-fns'
import { useText } from '../../app/text-context.ts'
import { calendarProps, parseInput, patterns } from './calendar-values.ts'

interface DayProps {
  readonly id: string
  /** `YYYY-MM-DD`. */
  readonly value: string
  readonly max: string
  readonly onChange: (day: string) => void
}

/** Required day outside of forms: invalid days and days after `max` do not change the value. */
export function DayInput({ id, value, max, onChange }: DayProps) {
  const { locale } = useText()
  const calendar = calendarProps('date', locale)
  return (
    <DateInput
      {...calendar}
      maxDate={parseInput(max) ?? calendar.maxDate}
      value={toIso(value)}
      canClearSelection={false}
      onChange={(next, isUserChange) => {
        const day = toDay(next)
        if (isUserChange && day !== null && day <= max) onChange(day)
      }}
      popoverProps={{ placement: 'bottom-start' }}
      inputProps={{ id }}
      showTimezoneSelect={false}
    />
  )
}

function toIso(value: unknown): string | null {
  return typeof value === 'string' ? (parseInput(value)?.toISOString() ?? null) : null
}

/** Blueprint reports ISO text with a zone; its local wall-clock time is what the user selected. */
function toDay(iso: string | null): string | null {
  if (iso === null || iso === '') return null
  const date = new Date(iso.length === 10 ? `${iso}T00:00:00` : iso)
  return isValid(date) ? format(date, patterns.date) : null
}
