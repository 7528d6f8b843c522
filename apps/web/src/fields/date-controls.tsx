import { DateInput, DatePicker, DateRangeInput } from '@blueprintjs/datetime'
import { Button, InputGroup } from '@blueprintjs/core'
import { format, isValid, parse, startOfDay } from 'date-fns'
import { enUS, zhCN } from 'date-fns/locale'
import { type Locale, operatorOf, readDate, readDatetime, t as translate } from '@jiaowu/api'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../shell/context/app-context.tsx'
import { Popover } from '../ui/popover.tsx'
import type { ControlProps, QueryProps } from './field-types.ts'
import { RangeQuery } from './text-controls.tsx'

type Kind = 'date' | 'datetime'
const patterns = { date: 'yyyy-MM-dd', datetime: 'yyyy-MM-dd HH:mm:ss' } as const
const placeholders = { date: 'YYYY-MM-DD', datetime: 'YYYY-MM-DD HH:mm:ss' } as const
const locales = { 'zh-CN': zhCN, en: enUS } as const
const readers = { date: readDate, datetime: readDatetime } as const
export const DateControl = dateControl('date')

/**
 * A text input with a calendar. What is typed is the value at once, so that no save can miss it; text
 * that is no date stays, and the field's rule reports it. Leaving the field puts a date into its
 * canonical form.
 */
function dateControl(kind: Kind) {
  return ({ id, value, disabled, invalid, describedBy, onChange, onBlur }: ControlProps) => {
    const text = typeof value === 'string' ? value : ''
    const tidy = () => {
      const read = readers[kind](text)
      if (read !== undefined && read !== text) onChange(read)
    }
    return (
      <DateText
        kind={kind}
        id={id}
        text={text}
        disabled={disabled}
        invalid={invalid}
        describedBy={describedBy}
        onChange={onChange}
        onTidy={tidy}
        onBlur={onBlur}
        onClose={onBlur}
      />
    )
  }
}

interface DateTextProps {
  readonly kind: Kind
  readonly id: string
  readonly text: string
  readonly disabled: boolean
  readonly invalid: boolean
  readonly describedBy: string | undefined
  readonly onChange: (text: string | null) => void
  /** Puts what was typed into its canonical form: on Enter, and when the input is left. */
  readonly onTidy: () => void
  readonly onBlur?: () => void
  /** The calendar was closed. */
  readonly onClose: () => void
}

/** An input for the text of a date, with a calendar. */
function DateText({
  kind,
  id,
  text,
  disabled,
  invalid,
  describedBy,
  onChange,
  onTidy,
  onBlur,
  onClose,
}: DateTextProps) {
  const { t } = useApp()
  return (
    <InputGroup
      id={id}
      fill
      autoComplete="off"
      placeholder={placeholders[kind]}
      value={text}
      disabled={disabled}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      {...(invalid ? { intent: 'danger' as const } : {})}
      onValueChange={(typed) => onChange(typed === '' ? null : typed)}
      onBlur={() => {
        onTidy()
        onBlur?.()
      }}
      aria-keyshortcuts="Alt+ArrowDown"
      onKeyDown={(event) => {
        if (event.key === 'Enter') onTidy()
        if (event.key !== 'ArrowDown' || !event.altKey) return
        event.preventDefault()
        event.currentTarget.parentElement
          ?.querySelector<HTMLElement>('button:not(:disabled)')
          ?.click()
      }}
      rightElement={
        <Calendar
          kind={kind}
          value={parseInput(text)}
          disabled={disabled}
          label={t('field.pickDate')}
          onPick={(date) => onChange(date === null ? null : format(date, patterns[kind]))}
          onClose={onClose}
        />
      }
    />
  )
}

interface CalendarProps {
  readonly kind: Kind
  readonly value: Date | null
  readonly disabled: boolean
  readonly label: string
  readonly onPick: (date: Date | null) => void
  readonly onClose: () => void
}

function Calendar({ kind, value, disabled, label, onPick, onClose }: CalendarProps) {
  const { locale, t } = useApp()
  const [isOpen, setOpen] = useState(false)
  const { minDate, maxDate } = sharedProps(kind, locale)
  const isShown = value !== null && value >= minDate && value <= maxDate
  return (
    <Popover
      placement="bottom-end"
      disabled={disabled}
      isOpen={isOpen}
      onInteraction={setOpen}
      onClosed={onClose}
      content={
        <DatePicker
          value={isShown ? value : null}
          minDate={minDate}
          maxDate={maxDate}
          locale={locales[locale]}
          showActionsBar
          todayButtonText={t('field.today')}
          clearButtonText={t('field.clear')}
          {...(kind === 'datetime' ? { timePrecision: 'second' as const } : {})}
          onChange={(date, isUserChange) => {
            if (!isUserChange) return
            onPick(date)
            // A moment also needs its clock.
            if (kind === 'date') setOpen(false)
          }}
        />
      }
    >
      <Button
        variant="minimal"
        icon="calendar"
        tabIndex={-1}
        disabled={disabled}
        aria-label={label}
        title={label}
      />
    </Popover>
  )
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
    placeholder: placeholders[kind],
    ...(kind === 'datetime' ? { timePrecision: 'second' as const } : {}),
  }
}

/**
 * Wire strings are wall-clock time without a zone; parsing them as local time keeps the day in
 * every time zone.
 */
function parseInput(text: string): Date | null {
  const read = readDatetime(text)
  return read === undefined ? null : parse(read, patterns.datetime, new Date(2000, 0, 1))
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
    if (operatorOf(field.queryType) === 'between')
      return <DateRange kind={kind} id={id} value={value} onChange={onChange} />
    return <OneDateQuery kind={kind} id={id} value={value} onChange={onChange} />
  }
}

/**
 * One day or moment of a filter. What is typed is the condition at once; text that is no date stays,
 * is marked, and is refused by the server instead of being left out of the search.
 */
function OneDateQuery({
  kind,
  id,
  value,
  onChange,
}: Pick<QueryProps, 'id' | 'value' | 'onChange'> & { readonly kind: Kind }) {
  const { t } = useApp()
  const [isLeft, setLeft] = useState(true)
  const text = typeof value === 'string' ? value : ''
  const read = readers[kind](text)
  const isWrong = isLeft && text !== '' && read === undefined
  const tidy = () => {
    setLeft(true)
    if (read !== undefined && read !== text) onChange(read)
  }
  return (
    <>
      <DateText
        kind={kind}
        id={id}
        text={text}
        disabled={false}
        invalid={isWrong}
        describedBy={isWrong ? `${id}-fault` : undefined}
        onChange={(typed) => {
          setLeft(false)
          onChange(typed)
        }}
        onTidy={tidy}
        onClose={tidy}
      />
      {isWrong ? (
        <p className="jw-query__fault" id={`${id}-fault`} role="alert">
          {t('field.noDate')}
        </p>
      ) : null}
    </>
  )
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
  // An end without a clock covers its whole day (docs/rules/contract.md#ranges).
  const text = (date: Date | null) =>
    date === null
      ? null
      : format(date, date.getTime() === startOfDay(date).getTime() ? patterns.date : patterns[kind])
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
