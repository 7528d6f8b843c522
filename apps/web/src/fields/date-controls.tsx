import { Button, ControlGroup, InputGroup } from '@blueprintjs/core'
import { Calendar as CalendarIcon } from '@blueprintjs/icons'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import { readDate, readDatetime } from '@jiaowu/api/fields/dates'
import { lazy, Suspense, useState } from 'react'
import { useText } from '../app/text-context.ts'
import { Loading } from '../ui/resource/page-state.tsx'
import { Popover } from '../ui/overlays/popover.tsx'
import { type DateKind, placeholders } from './dates/date-kinds.ts'
import type { ControlProps, QueryProps } from './field-types.ts'
import { RangeQuery } from './text-controls.tsx'

// The calendars are as large as the rest of a list.
const Calendar = lazy(async () => ({ default: (await import('./dates/calendar.tsx')).Calendar }))
const loadRange = () => import('./dates/date-range.tsx')
const DateRange = lazy(async () => ({ default: (await loadRange()).DateRange }))
const readers = { date: readDate, datetime: readDatetime } as const
export const DateControl = dateControl('date')

/**
 * A text input with a calendar. What is typed is the value at once, so that no save can miss it; text
 * that is no date stays, and the field's rule reports it. Leaving the field puts a date into its
 * canonical form.
 */
function dateControl(kind: DateKind) {
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
  readonly kind: DateKind
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
  const { t } = useText()
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
        <CalendarButton
          kind={kind}
          text={text}
          disabled={disabled}
          label={t('field.pickDate')}
          onPick={onChange}
          onClose={onClose}
        />
      }
    />
  )
}

interface CalendarButtonProps {
  readonly kind: DateKind
  readonly text: string
  readonly disabled: boolean
  readonly label: string
  readonly onPick: (text: string | null) => void
  readonly onClose: () => void
}

function CalendarButton({ kind, text, disabled, label, onPick, onClose }: CalendarButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      placement="bottom-end"
      disabled={disabled}
      isOpen={isOpen}
      onInteraction={setOpen}
      onClosed={onClose}
      content={
        <Suspense fallback={<Loading />}>
          <Calendar
            kind={kind}
            text={text}
            onPick={(picked) => {
              onPick(picked)
              // A moment also needs its clock.
              if (kind === 'date') setOpen(false)
            }}
          />
        </Suspense>
      }
    >
      <Button
        variant="minimal"
        icon={<CalendarIcon />}
        tabIndex={-1}
        disabled={disabled}
        aria-label={label}
        title={label}
      />
    </Popover>
  )
}

export const DateTimeControl = dateControl('datetime')

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
      onValueChange={(text) => onChange(parseYear(text))}
      onBlur={onBlur}
    />
  )
}

function parseYear(text: string): string | null {
  return text.trim() === '' ? null : text.replace(/\D/g, '').slice(0, 4)
}

export function YearQuery(props: QueryProps) {
  return toQueryOperator(props.field.queryType) === 'between' ? (
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
      onValueChange={(text) => onChange(parseYear(text))}
    />
  )
}

export const DateQuery = dateQuery('date')

function dateQuery(kind: DateKind) {
  return ({ id, field, value, onChange }: QueryProps) => {
    if (toQueryOperator(field.queryType) === 'between')
      return <RangeDateQuery kind={kind} id={id} value={value} onChange={onChange} />
    return <OneDateQuery kind={kind} id={id} value={value} onChange={onChange} />
  }
}

/** The calendars are loaded when the pointer or the focus comes; until then two inputs show the range. */
function RangeDateQuery(
  props: Pick<QueryProps, 'id' | 'value' | 'onChange'> & { readonly kind: DateKind },
) {
  const [entered, setEntered] = useState<number | null>(null)
  const place = <RangePlace {...props} onEnter={setEntered} />
  return entered === null ? (
    place
  ) : (
    <Suspense fallback={place}>
      <DateRange {...props} entered={entered} />
    </Suspense>
  )
}

function RangePlace({
  id,
  value,
  onEnter,
}: Pick<QueryProps, 'id' | 'value'> & { readonly onEnter: (end: number) => void }) {
  const ends = Array.isArray(value) ? (value as unknown[]) : []
  return (
    <ControlGroup className="jw-fill jw-range-place" onPointerEnter={() => void loadRange()}>
      {[0, 1].map((end) => (
        <InputGroup
          key={end}
          {...(end === 0 ? { id } : {})}
          readOnly
          autoComplete="off"
          placeholder={placeholders.date}
          value={typeof ends[end] === 'string' ? ends[end] : ''}
          onFocus={() => onEnter(end)}
        />
      ))}
    </ControlGroup>
  )
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
}: Pick<QueryProps, 'id' | 'value' | 'onChange'> & { readonly kind: DateKind }) {
  const { t } = useText()
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

export const DateTimeQuery = dateQuery('datetime')

export function TimeQuery(props: QueryProps) {
  return toQueryOperator(props.field.queryType) === 'between' ? (
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
