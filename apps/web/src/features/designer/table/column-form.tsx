import {
  Checkbox,
  FormGroup,
  HTMLSelect,
  InputGroup,
  NumericInput,
  TextArea,
} from '@blueprintjs/core'
import { columnKinds } from '@jiaowu/api/entity/definition/sheet'
import type { TableState } from '@jiaowu/api/entity/definition/table-change'
import { useId } from 'react'
import { useText } from '../../../app/text-context.ts'
import type { ColumnDraft } from './column-draft.ts'

/** Entities and dictionaries that a column can name. */
export type ColumnSources = Pick<TableState, 'targets' | 'dictionaries'>
type Change = (part: Partial<ColumnDraft>) => void

interface Props {
  readonly column: ColumnDraft
  readonly sources: ColumnSources
  readonly onChange: Change
  readonly autoFocus?: boolean
}

/** Label, kind, and what the kind needs. */
export function ColumnForm({ column, sources, onChange, autoFocus = false }: Props) {
  const { t } = useText()
  const id = useId()
  return (
    <div className="jw-column">
      <FormGroup label={t('sheetTable.label')} labelFor={`${id}-label`}>
        <InputGroup
          id={`${id}-label`}
          autoFocus={autoFocus}
          value={column.label}
          maxLength={60}
          placeholder={t('tableChange.labelHint')}
          onValueChange={(label) => onChange({ label })}
        />
      </FormGroup>
      <FormGroup label={t('sheetTable.kind')} labelFor={`${id}-kind`}>
        <HTMLSelect
          id={`${id}-kind`}
          fill
          value={column.kind}
          options={columnKinds.map((kind) => ({ value: kind, label: t(`columnKind.${kind}`) }))}
          onChange={({ currentTarget: { value } }) => {
            const kind = columnKinds.find((each) => each === value)
            if (kind !== undefined) onChange({ kind })
          }}
        />
      </FormGroup>
      <KindPart column={column} sources={sources} onChange={onChange} id={id} />
      {column.kind === 'relation' ? null : (
        <FormGroup label={t('tableChange.default')} labelFor={`${id}-default`}>
          <InputGroup
            id={`${id}-default`}
            value={column.defaultValue}
            maxLength={200}
            placeholder={t(
              column.kind === 'flag' ? 'tableChange.defaultFlag' : 'tableChange.defaultNone',
            )}
            onValueChange={(defaultValue) => onChange({ defaultValue })}
          />
        </FormGroup>
      )}
      <div className="jw-column__rules">
        <Checkbox
          checked={column.required}
          label={t('sheetTable.required')}
          onChange={({ currentTarget }) => onChange({ required: currentTarget.checked })}
        />
        <Checkbox
          checked={column.unique}
          label={t('sheetTable.unique')}
          onChange={({ currentTarget }) => onChange({ unique: currentTarget.checked })}
        />
      </div>
    </div>
  )
}

function KindPart({ column, sources, onChange, id }: Props & { readonly id: string }) {
  const { t } = useText()
  switch (column.kind) {
    case 'text':
      return (
        <FormGroup label={t('tableChange.length')} labelFor={`${id}-length`}>
          <NumericInput
            id={`${id}-length`}
            fill
            min={1}
            max={4_000}
            value={column.length}
            buttonPosition="none"
            onValueChange={(length) => onChange({ length: clamp(length, 1, 4_000) })}
          />
        </FormGroup>
      )
    case 'decimal':
      return (
        <FormGroup label={t('tableChange.scale')} labelFor={`${id}-scale`}>
          <NumericInput
            id={`${id}-scale`}
            fill
            min={0}
            max={6}
            value={column.scale}
            buttonPosition="none"
            onValueChange={(scale) => onChange({ scale: clamp(scale, 0, 6) })}
          />
        </FormGroup>
      )
    case 'choice':
      return <ChoicePart column={column} sources={sources} onChange={onChange} id={id} />
    case 'relation':
      return (
        <FormGroup label={t('tableChange.target')} labelFor={`${id}-target`}>
          <HTMLSelect
            id={`${id}-target`}
            fill
            value={column.target}
            options={[
              { value: '', label: t('sheetTable.chooseTarget') },
              ...sources.targets.map(({ tag, name }) => ({ value: tag, label: `${name} ${tag}` })),
            ]}
            onChange={({ currentTarget }) => onChange({ target: currentTarget.value })}
          />
        </FormGroup>
      )
    default:
      return null
  }
}

/** A dictionary that exists, or the words of a new one. */
function ChoicePart({ column, sources, onChange, id }: Props & { readonly id: string }) {
  const { t } = useText()
  return (
    <>
      <FormGroup label={t('tableChange.dictionary')} labelFor={`${id}-dictionary`}>
        <HTMLSelect
          id={`${id}-dictionary`}
          fill
          value={column.dictionary}
          options={[
            { value: '', label: t('tableChange.newDictionary') },
            ...sources.dictionaries.map(({ code, name }) => ({
              value: code,
              label: `${name} ${code}`,
            })),
          ]}
          onChange={({ currentTarget }) => onChange({ dictionary: currentTarget.value })}
        />
      </FormGroup>
      {column.dictionary === '' ? (
        <FormGroup label={t('tableChange.choices')} labelFor={`${id}-choices`}>
          <TextArea
            id={`${id}-choices`}
            fill
            value={column.choices}
            placeholder={t('tableChange.choicesHint')}
            onChange={({ currentTarget }) => onChange({ choices: currentTarget.value })}
          />
        </FormGroup>
      ) : null}
    </>
  )
}

function clamp(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.round(value))) : least
}
