import { HTMLSelect, Switch } from '@blueprintjs/core'
import type { DefinitionFinding } from '@jiaowu/api/entity/definition/stored'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import { useId } from 'react'
import { useText } from '../../../app/text-context.ts'
import type { Choice, ConfigRow, Control, ControlOf } from './rows.ts'
import { OrderedChoices } from './ordered-choices.tsx'
import { TypedInput } from './typed-input.tsx'

type Send = (edit: DesignerEdit) => void
interface Shared {
  readonly id: string
  readonly label: string
  readonly invalid: boolean
  readonly describedBy: string | undefined
  readonly send: Send
}

interface Props {
  readonly row: ConfigRow
  readonly path: string
  readonly findings: readonly DefinitionFinding[]
  readonly send: Send
}

/** One attribute: label, control, hint and findings. */
export function RowControl({ row: { label, hint, control }, path, findings, send }: Props) {
  const { t } = useText()
  const id = useId()
  const text = (t as (key: typeof label) => string)(label)
  const noteId = `${id}-note`
  const invalid = findings.some(({ severity }) => severity === 'error')
  return (
    <div className={`jw-cfg__row is-${control.is}`} data-path={path}>
      <label className="jw-cfg__label" htmlFor={id}>
        {text}
      </label>
      <div className="jw-cfg__control">
        <ControlView
          control={control}
          id={id}
          label={text}
          invalid={invalid}
          describedBy={findings.length === 0 ? undefined : noteId}
          send={send}
        />
        {hint === undefined ? null : (
          <small className="jw-muted">{(t as (key: typeof label) => string)(hint)}</small>
        )}
        {findings.length === 0 ? null : (
          <div id={noteId} className={invalid ? 'jw-cfg__fault' : 'jw-cfg__warning'}>
            {findings.map((finding) => (
              <div key={finding.id}>{finding.msg}</div>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

function ControlView({ control, send, ...shared }: Shared & { readonly control: Control }) {
  switch (control.is) {
    case 'text': {
      const { is: _is, set, ...rest } = control
      return <TypedInput {...shared} {...rest} onCommit={(text) => send(set(text))} />
    }
    case 'number':
      return (
        <TypedInput
          {...shared}
          value={control.value === null ? '' : String(control.value)}
          inputMode="numeric"
          onCommit={(text) => send(control.set(clamp(text, control.min, control.max)))}
        />
      )
    case 'switch':
      return (
        <Switch
          id={shared.id}
          checked={control.value}
          aria-label={shared.label}
          aria-describedby={shared.describedBy}
          onChange={(event) => send(control.set(event.currentTarget.checked))}
        />
      )
    case 'choice':
      return <SelectView {...shared} control={control} send={send} />
    case 'many':
      return control.ordered === true ? (
        <OrderedChoices label={shared.label} control={control} send={send} />
      ) : (
        <CheckboxesView {...shared} control={control} send={send} />
      )
    case 'shown':
      return (
        <output id={shared.id} className="jw-cfg__shown">
          {control.value === '' ? '—' : control.value}
        </output>
      )
  }
}

function SelectView({
  control,
  id,
  label,
  invalid,
  describedBy,
  send,
}: Shared & { readonly control: ControlOf<'choice'> }) {
  return (
    <HTMLSelect
      id={id}
      fill
      value={control.value}
      aria-label={label}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      onChange={(event) => send(control.set(event.currentTarget.value))}
    >
      {control.items.map((item) => (
        <option key={item.value} value={item.value}>
          {item.text}
        </option>
      ))}
    </HTMLSelect>
  )
}

function CheckboxesView({
  control,
  label,
  send,
}: Shared & { readonly control: ControlOf<'many'> }) {
  const { value, items, set } = control
  return (
    <div className="jw-cfg__many" role="group" aria-label={label}>
      {items.map((item) => (
        <label key={item.value}>
          <input
            type="checkbox"
            checked={value.includes(item.value)}
            onChange={() => send(set(toggleChoice(items, value, item.value)))}
          />
          {item.text}
        </label>
      ))}
    </div>
  )
}

/** Nearest integer within the bounds; null for blank text and for anything but a number. */
function clamp(text: string, min: number, max: number): number | null {
  const n = Number(text)
  return text.trim() === '' || !Number.isFinite(n)
    ? null
    : Math.min(max, Math.max(min, Math.round(n)))
}

function toggleChoice(
  items: readonly Choice[],
  chosen: readonly string[],
  value: string,
): readonly string[] {
  const next = new Set(chosen)
  if (!next.delete(value)) next.add(value)
  // Keep the order of the list, and keep values that the list does not have.
  return [
    ...items.map((item) => item.value).filter((name) => next.has(name)),
    ...[...next].filter((name) => !items.some((item) => item.value === name)),
  ]
}
