import { useEffect, useRef } from 'react'

interface Props {
  readonly label: string
  readonly checked: boolean
  readonly some?: boolean
  readonly changed?: boolean
  readonly disabled?: boolean
  readonly title?: string | undefined
  readonly onChange: (on: boolean) => void
}

/**
 * A check box for one or several things: checked, unchecked, or indeterminate when only some apply.
 */
export function CheckBox({
  label,
  checked,
  some = false,
  changed = false,
  disabled = false,
  title,
  onChange,
}: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = some && !checked
  }, [some, checked])
  return (
    <input
      ref={box}
      type="checkbox"
      className={changed ? 'is-changed' : ''}
      aria-label={label}
      title={title}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
