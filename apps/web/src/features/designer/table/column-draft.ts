import type { AskedColumn, ColumnKind } from '@jiaowu/api/entity/definition/sheet'

/** A column as a person types it. */
export interface ColumnDraft {
  readonly label: string
  readonly kind: ColumnKind
  readonly length: number
  readonly scale: number
  /** Empty: a new dictionary of `choices`. */
  readonly dictionary: string
  /** One a line, or between commas. */
  readonly choices: string
  readonly target: string
  readonly defaultValue: string
  readonly required: boolean
  readonly unique: boolean
}

export const emptyColumn: ColumnDraft = {
  label: '',
  kind: 'text',
  length: 100,
  scale: 2,
  dictionary: '',
  choices: '',
  target: '',
  defaultValue: '',
  required: false,
  unique: false,
}

function listChoices(text: string): string[] {
  return [...new Set(text.split(/[\n,，、;；]/).map((each) => each.trim()))].filter(Boolean)
}

/** Everything that its kind needs is there. */
export function isColumnWhole({ label, kind, dictionary, choices, target }: ColumnDraft): boolean {
  return (
    label.trim() !== '' &&
    (kind !== 'relation' || target !== '') &&
    (kind !== 'choice' || dictionary !== '' || listChoices(choices).length > 0)
  )
}

/** The server names the column by its label. */
export function toAskedColumn(draft: ColumnDraft): AskedColumn {
  const { label, kind, length, scale, dictionary, choices, target, defaultValue } = draft
  return {
    label: label.trim(),
    kind,
    ...(kind === 'text' && { length }),
    ...(kind === 'decimal' && { scale }),
    ...(kind === 'choice' &&
      (dictionary === '' ? { choices: listChoices(choices) } : { dictionary })),
    ...(kind === 'relation' && { target }),
    ...(kind !== 'relation' && defaultValue.trim() !== '' && { defaultValue: defaultValue.trim() }),
    ...(draft.required && { required: true }),
    ...(draft.unique && { unique: true }),
  }
}
