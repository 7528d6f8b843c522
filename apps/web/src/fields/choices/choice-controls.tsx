import { Checkbox, Radio, RadioGroup, Switch } from '@blueprintjs/core'
import type { DictItem } from '@jiaowu/api/entity/values'
import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import { useText } from '../../app/text-context.ts'
import { ChoicePicker } from './choice-picker.tsx'
import type { ControlProps, QueryProps } from '../field-types.ts'

export function PickerControl({
  tag,
  field,
  value,
  disabled,
  invalid,
  describedBy,
  id,
  values,
  onChange,
  onBlur,
}: ControlProps) {
  return (
    <ChoicePicker
      tag={tag}
      field={field}
      chosen={toDictItems(field, value)}
      multiple={findKind(field.uiType).multiple}
      disabled={disabled}
      invalid={invalid}
      id={id}
      describedBy={describedBy}
      cascades={readControlCascades(field, values)}
      onChange={onChange}
      onClosed={onBlur}
    />
  )
}

/**
 * The value as a list of items; a bare id (from a query string) gets its name from the dictionary,
 * else from `nameOf`.
 */
function toDictItems(
  field: Field,
  value: unknown,
  nameOf: (id: string) => string | undefined = () => undefined,
): readonly DictItem[] {
  const list = Array.isArray(value)
    ? (value as unknown[])
    : value === null || value === undefined || value === ''
      ? []
      : [value]
  return list.map((each) => {
    const item = isItem(each) ? each : { id: String(each), name: '' }
    return item.name === ''
      ? {
          id: item.id,
          name: field.dictData?.find(({ id }) => id === item.id)?.name ?? nameOf(item.id) ?? '',
        }
      : item
  })
}

function isItem(value: unknown): value is DictItem {
  return typeof value === 'object' && value !== null && 'id' in value
}

function readControlCascades(
  field: Field,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (field.options.cascades ?? [])
      .map(({ attrName }) => [attrName, firstId(values[attrName])] as const)
      .filter(([, id]) => id !== ''),
  )
}

function firstId(value: unknown): string {
  const [first] = Array.isArray(value) ? (value as unknown[]) : [value]
  return isItem(first)
    ? first.id
    : typeof first === 'string' || typeof first === 'number'
      ? String(first)
      : ''
}

/** Allows several ids: `equal` on a choice field with several ids means `in`. */
export function PickerQuery({ tag, field, value, id, queries, nameOf, onChange }: QueryProps) {
  return (
    <ChoicePicker
      tag={tag}
      field={field}
      chosen={toDictItems(field, value, nameOf)}
      multiple={toQueryOperator(field.queryType) !== 'notEqual'}
      disabled={false}
      invalid={false}
      id={id}
      describedBy={undefined}
      cascades={readControlCascades(field, queries)}
      onChange={(items) => onChange(items.length === 0 ? null : items)}
    />
  )
}

/**
 * Radios and checkboxes show at most this many choices; larger and remote dictionaries use a
 * picker.
 */
const maxInlineChoices = 12

export function RadioControl(props: ControlProps) {
  const { field, value, disabled, id, describedBy, onChange } = props
  if (field.dictData === undefined || field.dictData.length > maxInlineChoices)
    return <PickerControl {...props} />
  return (
    <div id={id} aria-describedby={describedBy} tabIndex={-1}>
      <RadioGroup
        className="jw-radios"
        aria-label={field.uiLabel}
        inline
        disabled={disabled}
        selectedValue={firstId(value)}
        onChange={(event) => {
          const item = field.dictData?.find((each) => each.id === event.currentTarget.value)
          if (item !== undefined) onChange([{ id: item.id, name: item.name }])
        }}
        name={`${id}-radio`}
      >
        {field.dictData.map((item) => (
          <Radio key={item.id} value={item.id} label={item.name} />
        ))}
      </RadioGroup>
    </div>
  )
}

export function CheckboxControl(props: ControlProps) {
  const { field, value, disabled, id, describedBy, onChange } = props
  if (field.dictData === undefined || field.dictData.length > maxInlineChoices)
    return <PickerControl {...props} />
  const chosen = toDictItems(field, value)
  return (
    <div
      id={id}
      className="jw-radios"
      role="group"
      aria-label={field.uiLabel}
      aria-describedby={describedBy}
      tabIndex={-1}
    >
      {field.dictData.map((item) => (
        <Checkbox
          key={item.id}
          inline
          disabled={disabled}
          label={item.name}
          checked={chosen.some((each) => each.id === item.id)}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? [...chosen, { id: item.id, name: item.name }]
                : chosen.filter((each) => each.id !== item.id),
            )
          }
        />
      ))}
    </div>
  )
}

/** '1' yes, '0' no (docs/spec/1-entity-console.md §3). */
export function SwitchControl({ id, value, disabled, describedBy, onChange }: ControlProps) {
  const { t } = useText()
  return (
    <div className="jw-radios">
      <Switch
        id={id}
        checked={value === '1'}
        disabled={disabled}
        aria-describedby={describedBy}
        labelElement={value === '1' ? t('common.yes') : t('common.no')}
        onChange={(event) => onChange(event.currentTarget.checked ? '1' : '0')}
      />
    </div>
  )
}

export function SwitchQuery(props: QueryProps) {
  const { t } = useText()
  const dictData = [
    { id: '1', name: t('common.yes') },
    { id: '0', name: t('common.no') },
  ]
  return (
    <ChoicePicker
      tag={props.tag}
      field={{ ...props.field, uiType: 'select', dictData }}
      chosen={toDictItems({ ...props.field, dictData }, props.value)}
      multiple={false}
      disabled={false}
      invalid={false}
      id={props.id}
      describedBy={undefined}
      cascades={{}}
      onChange={(items) => props.onChange(items[0]?.id ?? null)}
    />
  )
}

const maxStars = 5

export function RateControl({ id, field, value, disabled, onChange, onBlur }: ControlProps) {
  const { t } = useText()
  const now = Number(value ?? 0)
  return (
    <div
      id={id}
      className="jw-stars"
      role="radiogroup"
      aria-label={field.uiLabel}
      tabIndex={-1}
      onBlur={onBlur}
    >
      {Array.from({ length: maxStars }, (_none, i) => i + 1).map((star) => (
        <button
          key={star}
          type="button"
          role="radio"
          aria-checked={now === star}
          aria-label={t('field.stars', { n: star })}
          disabled={disabled}
          className={`jw-star${star <= Math.round(now) ? ' is-on' : ''}`}
          onClick={() => onChange(now === star ? null : star)}
        >
          ★
        </button>
      ))}
    </div>
  )
}
