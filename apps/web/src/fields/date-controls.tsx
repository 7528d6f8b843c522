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
const inputPatterns = [
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
        {...sharedProps(kind, locale)}
        fill
        value={toIso(value)}
        disabled={disabled}
        onChange={(next, isUserChange) => {
          if (isUserChange) onChange(toWire(kind, next))
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

function sharedProps(kind: Kind, locale: Locale) {
  return {
    formatDate: (date: Date) => format(date, patterns[kind]),
    parseDate: (text: string) => parseInput(text) ?? (false as const),
    locale: locales[locale],
    minDate: new Date(1900, 0, 1),
    maxDate: new Date(2100, 11, 31),
    invalidDateMessage: translate(locale, 'field.noDate'),
    outOfRangeMessage: translate(locale, 'field.dateOut'),
    placeholder: kind === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm:ss',
    ...(kind === 'datetime' ? { timePrecision: 'second' as const } : {}),
  }
}

/**
 * Wire strings are wall-clock time without a zone; parsing them as local time keeps the day in
 * every time zone.
 */
function parseInput(text: string): Date | null {
  return (
    inputPatterns
      .map((pattern) => parse(text.trim(), pattern, new Date(2000, 0, 1)))
      .find(isValid) ?? null
  )
}

function toIso(value: unknown): string | null {
  return typeof value === 'string' ? (parseInput(value)?.toISOString() ?? null) : null
}

/** Blueprint reports ISO text with a zone; its local wall-clock time is what the user selected. */
function toWire(kind: Kind, iso: string | null): string | null {
  if (iso === null || iso === '') return null
  const date = new Date(iso.length === 10 ? `${iso}T00:00:00` : iso)
  return isValid(date) ? format(date, patterns[kind]) : null
}

export const DateTimeControl = dateControl('datetime')

interface DayProps {
  readonly id: string
  /** `YYYY-MM-DD`. */
  readonly value: string
  readonly max: string
  readonly onChange: (day: string) => void
}

/** Required day outside of forms: invalid days and days after `max` do not change the value. */
export function DayInput({ id, value, max, onChange }: DayProps) {
  const { locale } = useApp()
  return (
    <DateInput
      {...sharedProps('date', locale)}
      maxDate={parseInput(max) ?? new Date()}
      value={toIso(value)}
      canClearSelection={false}
      onChange={(next, isUserChange) => {
        const day = toWire('date', next)
        if (isUserChange && day !== null && day <= max) onChange(day)
      }}
      popoverProps={{ placement: 'bottom-start' }}
      inputProps={{ id }}
      showTimezoneSelect={false}
    />
  )
}

/** The browser's time input. Adds `:00` where the browser leaves out zero seconds. */
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
        {...sharedProps(kind, locale)}
        fill
        value={toIso(value)}
        onChange={(next) => onChange(toWire(kind, next))}
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
  const box = useWithoutAriaExpanded()
  const ends = Array.isArray(value) ? (value as unknown[]) : [null, null]
  const [from, to] = ends.map((end) => (typeof end === 'string' ? parseInput(end) : null))
  const text = (date: Date | null) => (date === null ? null : format(date, patterns[kind]))
  return (
    <div ref={box}>
      <DateRangeInput
        {...sharedProps(kind, locale)}
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
