import { DateInput, DateRangeInput } from '@blueprintjs/datetime'
import { InputGroup } from '@blueprintjs/core'
import { format, isValid, parse } from 'date-fns'
import { enUS, zhCN } from 'date-fns/locale'
import { type Locale, operatorOf, t as translate } from '@jiaowu/api'
import { useEffect, useRef } from 'react'
import { useApp } from '../shell/context/app-context.tsx'
import type { ControlProps, QueryProps } from './field-types.ts'
import { RangeQuery } from './text-controls.tsx'

type Kind = 'date' | 'datetime'
const patterns = { date: 'yyyy-MM-dd', datetime: 'yyyy-MM-dd HH:mm:ss' } as const
const locales = { 'zh-CN': zhCN, en: enUS } as const
const typed = [
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-dd HH:mm',
  'yyyy-MM-dd',
  'yyyy/M/d',
  'yyyy.M.d',
  'yyyyMMdd',
] as const
export const DateControl = dateControl('date')

function dateControl(kind: Kind) {
  return ({ id, value, disabled, invalid, describedBy, onChange, onBlur }: ControlProps) => {
    const { locale, t } = useApp()
    return (
      <DateInput
        {...shared(kind, locale)}
        fill
        value={iso(value)}
        disabled={disabled}
        onChange={(next, byPerson) => {
          if (byPerson) onChange(wire(kind, next))
        }}
        popoverProps={{ placement: 'bottom-start', onClose: onBlur }}
        inputProps={{
          id,
          onBlur,
          'aria-invalid': invalid,
          'aria-describedby': describedBy,
          ...(invalid ? { intent: 'danger' as const } : {}),
        }}
        showTimezoneSelect={false}
        showActionsBar
        todayButtonText={t('field.today')}
        clearButtonText={t('field.clear')}
      />
    )
  }
}

function shared(kind: Kind, locale: Locale) {
  return {
    formatDate: (date: Date) => format(date, patterns[kind]),
    parseDate: (text: string) => readAny(text) ?? (false as const),
    locale: locales[locale],
    minDate: new Date(1900, 0, 1),
    maxDate: new Date(2100, 11, 31),
    invalidDateMessage: translate(locale, 'field.noDate'),
    outOfRangeMessage: translate(locale, 'field.dateOut'),
    placeholder: kind === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm:ss',
    ...(kind === 'datetime' ? { timePrecision: 'second' as const } : {}),
  }
}

/** Wire strings are wall-clock time: read and written as such, so no zone can shift a day. */
function readAny(text: string): Date | null {
  return (
    typed.map((pattern) => parse(text.trim(), pattern, new Date(2000, 0, 1))).find(isValid) ?? null
  )
}

function iso(value: unknown): string | null {
  return typeof value === 'string' ? (readAny(value)?.toISOString() ?? null) : null
}

/** Blueprint hands on ISO text with a zone; its own wall clock is what the person saw. */
function wire(kind: Kind, iso: string | null): string | null {
  if (iso === null || iso === '') return null
  const date = new Date(iso.length === 10 ? `${iso}T00:00:00` : iso)
  return isValid(date) ? format(date, patterns[kind]) : null
}

export const DateTimeControl = dateControl('datetime')

interface DayProps {
  readonly id: string
  /** `YYYY-MM-DD`. */ readonly value: string
  readonly max: string
  readonly onChange: (day: string) => void
}

/** One day that is always there, outside of forms: what is no day is not taken. */
export function DayInput({ id, value, max, onChange }: DayProps) {
  const { locale } = useApp()
  return (
    <DateInput
      {...shared('date', locale)}
      maxDate={readAny(max) ?? new Date()}
      value={iso(value)}
      canClearSelection={false}
      onChange={(next, byPerson) => {
        const day = wire('date', next)
        if (byPerson && day !== null && day <= max) onChange(day)
      }}
      popoverProps={{ placement: 'bottom-start' }}
      inputProps={{ id }}
      showTimezoneSelect={false}
    />
  )
}

/** The browser's own time field: typed, stepped by keyboard, and empty when there is none. */
export function TimeControl({
  id,
  value,
  disabled,
  invalid,
  describedBy,
  onChange,
  onBlur,
}: ControlProps) {
  return (
    <InputGroup
      id={id}
      fill
      type="time"
      step={1}
      value={String(value ?? '')}
      disabled={disabled}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      {...(invalid ? { intent: 'danger' as const } : {})}
      onValueChange={(text) =>
        onChange(text === '' ? null : text.length === 5 ? `${text}:00` : text)
      }
      onBlur={onBlur}
    />
  )
}

export function YearControl({
  id,
  value,
  disabled,
  invalid,
  describedBy,
  onChange,
  onBlur,
}: ControlProps) {
  return (
    <InputGroup
      id={id}
      fill
      inputMode="numeric"
      placeholder="YYYY"
      maxLength={4}
      value={String(value ?? '')}
      disabled={disabled}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      {...(invalid ? { intent: 'danger' as const } : {})}
      onValueChange={(text) => onChange(yearOf(text))}
      onBlur={onBlur}
    />
  )
}

function yearOf(text: string): string | null {
  return text.trim() === '' ? null : text.replace(/\D/g, '').slice(0, 4)
}

export function YearQuery(props: QueryProps) {
  return operatorOf(props.field.queryType) === 'between' ? (
    <RangeQuery {...props} placeholder="YYYY" inputMode="numeric" />
  ) : (
    <OneYearQuery {...props} />
  )
}

function OneYearQuery({ id, value, onChange }: QueryProps) {
  return (
    <InputGroup
      id={id}
      fill
      inputMode="numeric"
      placeholder="YYYY"
      maxLength={4}
      value={String(value ?? '')}
      onValueChange={(text) => onChange(yearOf(text))}
    />
  )
}

export const DateQuery = dateQuery('date')

function dateQuery(kind: Kind) {
  return ({ id, field, value, onChange }: QueryProps) => {
    const { locale } = useApp()
    if (operatorOf(field.queryType) === 'between')
      return <DateRange kind={kind} id={id} value={value} onChange={onChange} />
    return (
      <DateInput
        {...shared(kind, locale)}
        fill
        value={iso(value)}
        onChange={(next) => onChange(wire(kind, next))}
        inputProps={{ id }}
        popoverProps={{ placement: 'bottom-start' }}
      />
    )
  }
}

function DateRange({
  kind,
  id,
  value,
  onChange,
}: Pick<QueryProps, 'id' | 'value' | 'onChange'> & { readonly kind: Kind }) {
  const { locale } = useApp()
  const box = useNoExpanded()
  const ends = Array.isArray(value) ? (value as unknown[]) : [null, null]
  const [from, to] = ends.map((end) => (typeof end === 'string' ? readAny(end) : null))
  const text = (date: Date | null) => (date === null ? null : format(date, patterns[kind]))
  return (
    <div ref={box}>
      <DateRangeInput
        {...shared(kind, locale)}
        className="jw-fill"
        allowSingleDayRange
        contiguousCalendarMonths
        singleMonthOnly
        shortcuts={false}
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

/** Blueprint says of a group of two inputs whether it is expanded, which no group can be: readers of the screen are spared it. */
function useNoExpanded() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const group = box.current?.querySelector('[aria-expanded]')
    if (group === null || group === undefined) return undefined
    const clear = () => {
      group.removeAttribute('aria-expanded')
      group.removeAttribute('aria-haspopup')
    }
    const watching = new MutationObserver(clear)
    clear()
    watching.observe(group, { attributeFilter: ['aria-expanded', 'aria-haspopup'] })
    return () => watching.disconnect()
  }, [])
  return box
}

export const DateTimeQuery = dateQuery('datetime')

export function TimeQuery(props: QueryProps) {
  return operatorOf(props.field.queryType) === 'between' ? (
    <RangeQuery {...props} placeholder="HH:mm:ss" inputMode="text" />
  ) : (
    <OneTimeQuery {...props} />
  )
}

function OneTimeQuery({ id, value, onChange }: QueryProps) {
  return (
    <InputGroup
      id={id}
      fill
      placeholder="HH:mm:ss"
      value={String(value ?? '')}
      onValueChange={(text) => onChange(text)}
    />
  )
}
