import { parseJson } from '@jiaowu/api/exact-json'
import { Button, HTMLSelect } from '@blueprintjs/core'
import { Add, ArrowUp, Cross } from '@blueprintjs/icons'
import type { ButtonAction } from '@jiaowu/api/entity/definition/button'
import { useNotice } from '../../../../app/notice-context.ts'
import { useText } from '../../../../app/text-context.ts'
import { type Choice, withCurrent } from '../rows.ts'
import { TypedInput } from '../typed-input.tsx'

const kinds = ['setField', 'open', 'request', 'message', 'refresh'] as const
const places = ['tab', 'window', 'drawer'] as const
const methods = ['create', 'update', 'remove'] as const
const tones = ['info', 'success', 'warning', 'error'] as const

interface ActionFormProps<A extends ButtonAction> {
  readonly action: A
  readonly onPut: (action: A) => void
}

interface Props {
  readonly actions: readonly ButtonAction[]
  readonly fields: readonly Choice[]
  readonly entities: readonly Choice[]
  readonly onChange: (actions: readonly ButtonAction[]) => void
}

/** Editor of the actions that a button performs in order (docs/rules/contract.md#definitions). */
export function ActionsEditor({ actions, fields, entities, onChange }: Props) {
  const { t } = useText()
  const swap = (index: number) =>
    onChange(
      actions.map((action, at) =>
        at === index - 1
          ? (actions[index] ?? action)
          : at === index
            ? (actions[index - 1] ?? action)
            : action,
      ),
    )
  return (
    <div className="jw-cfg__list">
      {actions.map((action, index) => (
        <div key={`${action.do}-${index}`} className="jw-action">
          <div className="jw-action__head">
            <Pick
              label={t('designer.button.actions')}
              value={action.do}
              items={kinds.map((value) => ({ value, text: t(`designer.action.${value}`) }))}
              onPick={(kind) =>
                onChange(
                  actions.map((each, at) =>
                    at === index ? newAction(kind, fields, entities) : each,
                  ),
                )
              }
            />
            <Button
              variant="minimal"
              size="small"
              icon={<ArrowUp size={14} />}
              disabled={index === 0}
              aria-label={t('export.up', { label: t(`designer.action.${action.do}`) })}
              onClick={() => swap(index)}
            />
            <Button
              variant="minimal"
              size="small"
              icon={<Cross size={14} />}
              aria-label={t('designer.remove')}
              onClick={() => onChange(actions.filter((_each, at) => at !== index))}
            />
          </div>
          <ActionForm
            action={action}
            fields={fields}
            entities={entities}
            onPut={(next) => onChange(actions.map((each, at) => (at === index ? next : each)))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<Add />}
        text={t('designer.action.add')}
        onClick={() => onChange([...actions, newAction('message', fields, entities)])}
      />
    </div>
  )
}

function Pick<T extends string>({
  label,
  value,
  items,
  onPick,
}: {
  readonly label: string
  readonly value: T
  readonly items: readonly Choice[]
  readonly onPick: (value: T) => void
}) {
  return (
    <HTMLSelect
      fill
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value as T)}
    >
      {withCurrent(items, value).map((item) => (
        <option key={item.value} value={item.value}>
          {item.text}
        </option>
      ))}
    </HTMLSelect>
  )
}

function newAction(
  kind: ButtonAction['do'],
  fields: readonly Choice[],
  entities: readonly Choice[],
): ButtonAction {
  switch (kind) {
    case 'setField':
      return { do: kind, attrName: fields[0]?.value ?? '', value: '' }
    case 'open':
      return { do: kind, to: '/', where: 'tab' }
    case 'request':
      return { do: kind, tag: entities[0]?.value ?? '', method: 'update', id: '{id}', values: {} }
    case 'message':
      return { do: kind, tone: 'info', text: '' }
    case 'refresh':
      return { do: kind }
  }
}

function ActionForm({
  action,
  fields,
  entities,
  onPut,
}: ActionFormProps<ButtonAction> & {
  readonly fields: readonly Choice[]
  readonly entities: readonly Choice[]
}) {
  const { t } = useText()
  switch (action.do) {
    case 'setField':
      return (
        <>
          <Pick
            label={t('designer.field')}
            value={action.attrName}
            items={fields}
            onPick={(attrName) => onPut({ ...action, attrName })}
          />
          <TypedInput
            label={t('designer.action.value')}
            placeholder={t('designer.action.value')}
            value={String(action.value ?? '')}
            onCommit={(value) => onPut({ ...action, value: value === '' ? null : value })}
          />
        </>
      )
    case 'open':
      return (
        <>
          <TypedInput
            mono
            label={t('designer.action.to')}
            value={action.to}
            onCommit={(to) => onPut({ ...action, to: to.trim() })}
          />
          <Pick
            label={t('designer.action.where')}
            value={action.where}
            items={places.map((value) => ({ value, text: t(`enum.openType.${value}`) }))}
            onPick={(where) => onPut({ ...action, where })}
          />
        </>
      )
    case 'request':
      return <RequestForm action={action} entities={entities} onPut={onPut} />
    case 'message':
      return (
        <>
          <Pick
            label={t('designer.action.tone')}
            value={action.tone}
            items={tones.map((value) => ({ value, text: t(`designer.action.tone.${value}`) }))}
            onPick={(tone) => onPut({ ...action, tone })}
          />
          <TypedInput
            label={t('designer.action.text')}
            placeholder={t('designer.hint.fill')}
            value={action.text}
            onCommit={(text) => onPut({ ...action, text })}
          />
        </>
      )
    case 'refresh':
      return null
  }
}

function RequestForm({
  action,
  entities,
  onPut,
}: ActionFormProps<Extract<ButtonAction, { do: 'request' }>> & {
  readonly entities: readonly Choice[]
}) {
  const { t } = useText()
  const { toast } = useNotice()
  const commit = (text: string) => {
    const values = readValues(text.trim())
    if (values === null) toast('danger', t('design.checkFormat'))
    else onPut({ ...action, values })
  }
  return (
    <>
      <Pick
        label={t('designer.a.dictEntity')}
        value={action.tag}
        items={entities}
        onPick={(tag) => onPut({ ...action, tag })}
      />
      <Pick
        label={t('designer.action.method')}
        value={action.method}
        items={methods.map((value) => ({ value, text: t(`designer.action.${value}`) }))}
        onPick={(method) => onPut({ ...action, method })}
      />
      {action.method === 'create' ? null : (
        <TypedInput
          mono
          label={t('designer.action.id')}
          placeholder={t('designer.action.id')}
          value={action.id ?? ''}
          onCommit={(id) => onPut({ ...action, id })}
        />
      )}
      {action.method === 'remove' ? null : (
        <TypedInput
          mono
          lines={2}
          label={t('designer.action.values')}
          placeholder={t('designer.action.values')}
          value={JSON.stringify(action.values ?? {})}
          onCommit={commit}
        />
      )}
    </>
  )
}

/**
 * Parses a flat JSON object of texts, numbers and nulls, as the wire requires; null for anything
 * else.
 */
function readValues(text: string): Extract<ButtonAction, { do: 'request' }>['values'] | null {
  try {
    const parsed: unknown = parseJson(text === '' ? '{}' : text)
    const isFlat =
      typeof parsed === 'object' &&
      parsed !== null &&
      !Array.isArray(parsed) &&
      Object.values(parsed).every(
        (value) => value === null || typeof value === 'string' || typeof value === 'number',
      )
    return isFlat ? (parsed as Record<string, string | number | null>) : null
  } catch {
    return null // not JSON: the action keeps its values
  }
}
