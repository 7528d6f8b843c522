import { Checkbox, HTMLSelect, InputGroup, NumericInput } from '@blueprintjs/core'
import type { ColumnKind, ProposedColumn, SheetProposal } from '@jiaowu/api/entity/definition/sheet'
import { useText } from '../../../../app/text-context.ts'

interface Props {
  readonly column: ProposedColumn
  readonly targets: SheetProposal['targets']
  readonly onChange: (part: Partial<ProposedColumn>) => void
}

/** A column of the sheet: whether it is taken, and as what. */
export function SheetColumnRow({ column, targets, onChange }: Props) {
  const { t } = useText()
  const { letter, label, kind, isLeft, filled, distinct, samples, notes, fits } = column
  const kinds = fits.includes(kind) ? fits : [kind, ...fits]
  return (
    <tr className={isLeft ? 'is-off' : ''}>
      <td>
        <Checkbox
          checked={!isLeft}
          aria-label={t('sheetTable.take', { name: label })}
          onChange={(event) => onChange({ isLeft: !event.currentTarget.checked })}
        />
      </td>
      <td>
        <InputGroup
          size="small"
          value={label}
          disabled={isLeft}
          aria-label={t('sheetTable.labelOf', { letter })}
          onValueChange={(text) => onChange({ label: text })}
        />
      </td>
      <td>
        <HTMLSelect
          value={kind}
          disabled={isLeft}
          aria-label={t('sheetTable.kindOf', { name: label })}
          options={kinds.map((each) => ({ value: each, label: t(`columnKind.${each}`) }))}
          onChange={(event) => {
            const found = kinds.find((each) => each === event.currentTarget.value)
            if (found !== undefined) onChange(changeKind(found))
          }}
        />
      </td>
      <td className="jw-sheet__more">
        <More column={column} targets={targets} onChange={onChange} />
      </td>
      <td data-label={t('sheetTable.unique')}>
        <Checkbox
          checked={column.unique === true}
          disabled={isLeft}
          aria-label={t('sheetTable.uniqueOf', { name: label })}
          onChange={(event) => onChange({ unique: event.currentTarget.checked })}
        />
      </td>
      <td data-label={t('sheetTable.required')}>
        <Checkbox
          checked={column.required === true}
          disabled={isLeft}
          aria-label={t('sheetTable.requiredOf', { name: label })}
          onChange={(event) => onChange({ required: event.currentTarget.checked })}
        />
      </td>
      <td className="jw-adopt__notes">
        <div>{samples.join('、')}</div>
        <small>{t('sheetTable.filled', { n: filled, distinct })}</small>
        {notes.map((note) => (
          <div key={note}>{note}</div>
        ))}
      </td>
    </tr>
  )
}

/** Another kind forgets the dictionary that was found. */
function changeKind(kind: ColumnKind): Partial<ProposedColumn> {
  return { kind, dictionary: undefined }
}

function More({ column, targets, onChange }: Props) {
  const { t } = useText()
  const { kind, label, isLeft, dictionary, choices = [] } = column
  switch (kind) {
    case 'text':
      return (
        <NumericInput
          size="small"
          min={1}
          max={4_000}
          value={column.length ?? 200}
          disabled={isLeft}
          buttonPosition="none"
          aria-label={t('sheetTable.lengthOf', { name: label })}
          onValueChange={(length) => onChange({ length: clamp(length, 1, 4_000) })}
        />
      )
    case 'decimal':
      return (
        <NumericInput
          size="small"
          min={0}
          max={6}
          value={column.scale ?? 2}
          disabled={isLeft}
          buttonPosition="none"
          aria-label={t('sheetTable.scaleOf', { name: label })}
          onValueChange={(scale) => onChange({ scale: clamp(scale, 0, 6) })}
        />
      )
    case 'choice':
      return (
        <span>
          {dictionary === undefined
            ? t('sheetTable.choices', {
                n: choices.length,
                values: choices.slice(0, 8).join('、') + (choices.length > 8 ? '…' : ''),
              })
            : t('sheetTable.dictionary', { code: dictionary })}
        </span>
      )
    case 'relation':
      return (
        <HTMLSelect
          value={column.target ?? ''}
          disabled={isLeft}
          aria-label={t('sheetTable.targetOf', { name: label })}
          options={[
            { value: '', label: t('sheetTable.chooseTarget') },
            ...targets.map(({ tag, name }) => ({ value: tag, label: name })),
          ]}
          onChange={(event) => onChange({ target: event.currentTarget.value })}
        />
      )
    default:
      return null
  }
}

function clamp(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.round(value))) : least
}
