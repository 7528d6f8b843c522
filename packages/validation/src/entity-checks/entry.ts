// Entry sheets (docs/rules/contract.md#entry-sheets).
import { dictTypes, type EntrySheet, isDerived, kindOf } from '@jiaowu/api'
import { type Check, error, type Subject } from './finding.ts'

export const entryChecks: readonly Check[] = [
  error('entity.E045', (subject) => {
    const { entry } = subject.definition.options
    const name = entry === undefined ? undefined : wrongName(entry, subject)
    return name === undefined
      ? []
      : [{ path: 'options.entry', params: { name, label: subject.definition.name } }]
  }),
]

/**
 * Sheets are named by fields that lists filter by, one value each; columns are in lists; what is
 * counted is typed into one of them; rows are added for the records of a relation.
 */
function wrongName({ by, frozen, columns, progress, add }: EntrySheet, { byName }: Subject) {
  const isBy = (name: string) => {
    const field = byName.get(name)
    return field?.isQuery === 1 && !kindOf(field.uiType).multiple && field.pii === null
  }
  const isColumn = (name: string) => byName.get(name)?.isList === 1
  const counted = byName.get(progress)
  const added = add === undefined ? undefined : byName.get(add.field)
  const isAddable =
    added?.isAdd === 1 && added.dictType === dictTypes.entity && !kindOf(added.uiType).multiple
  return (
    by.find((name) => !isBy(name)) ??
    [...frozen, ...columns].find((name) => !isColumn(name)) ??
    (add === undefined || (isAddable && !by.includes(add.field)) ? undefined : add.field) ??
    (counted === undefined || isDerived(counted) || !columns.includes(progress)
      ? progress
      : undefined)
  )
}
