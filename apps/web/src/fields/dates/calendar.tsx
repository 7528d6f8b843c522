import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import { DatePicker } from '@blueprintjs/datetime'
import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import { format } from 'date-fns'
import { useText } from '../../app/text-context.ts'
import { calendarProps, parseInput, patterns } from './calendar-values.ts'
import type { DateKind } from './date-kinds.ts'

interface Props {
  readonly kind: DateKind
  readonly text: string
  readonly onPick: (text: string | null) => void
}

export function Calendar({ kind, text, onPick }: Props) {
  const { locale, t } = useText()
  const { minDate, maxDate, locale: words } = calendarProps(kind, locale)
  const value = parseInput(text)
  const isShown = value !== null && value >= minDate && value <= maxDate
  return (
    <DatePicker
      value={isShown ? value : null}
      minDate={minDate}
      maxDate={maxDate}
      locale={words}
      showActionsBar
      timezone={schoolTimeZone}
      todayButtonText={t('field.today')}
      clearButtonText={t('field.clear')}
      {...(kind === 'datetime' ? { timePrecision: 'second' as const } : {})}
      onChange={(date, isUserChange) => {
        if (isUserChange) onPick(date === null ? null : format(date, patterns[kind]))
      }}
    />
  )
}
