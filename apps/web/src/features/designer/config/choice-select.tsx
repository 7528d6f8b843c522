import { HTMLSelect } from '@blueprintjs/core'
import { type Choice, withCurrent } from './rows.ts'

/** One of some choices; a value that is none of them is listed as well. */
export function ChoiceSelect({
  label,
  value,
  items,
  onPick,
}: {
  readonly label: string
  readonly value: string
  readonly items: readonly Choice[]
  readonly onPick: (value: string) => void
}) {
  return (
    <HTMLSelect
      fill
      aria-label={label}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      {withCurrent(items, value).map((item) => (
        <option key={item.value} value={item.value}>
          {item.text}
        </option>
      ))}
    </HTMLSelect>
  )
}
