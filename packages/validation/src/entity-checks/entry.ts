// Entry sheets (docs/rules/contract.md#entry-sheets).
import { dictTypes, type UiType } from '@jiaowu/api/entity/enums'
import type { EntrySheet } from '@jiaowu/api/entity/definition/definition'
import { isDerived } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { type Check, error, type Subject } from './finding.ts'

export const entryChecks: readonly Check[] = [
  error('entity.E045', (subject) => {
    const { entry } = subject.definition.options
    return entry === undefined
      ? []
      : wrongNames(entry, subject).map(([part, name]) => ({
          path: `options.entry.${part}`,
          params: { name, label: subject.definition.name },
        }))
  }),
]

/**
 * Sheets are named by fields that lists filter by, one value each; columns are in lists; what is
 * counted is typed into one of them; rows are added for the records of a relation.
 */
function wrongNames(
  { by, frozen, columns, progress, passed, add }: EntrySheet,
  { byName }: Subject,
): readonly (readonly [part: string, name: string])[] {
  const isBy = (name: string) => {
    const field = byName.get(name)
    return field?.isQuery === 1 && !findKind(field.uiType).multiple && field.pii === null
  }
  const isColumn = (name: string) => byName.get(name)?.isList === 1
  const counted = byName.get(progress)
  const added = add === undefined ? undefined : byName.get(add.field)
  const isAddable =
    added?.isAdd === 1 && added.dictType === dictTypes.entity && !findKind(added.uiType).multiple
  const isCounted = counted !== undefined && !isDerived(counted) && columns.includes(progress)
  const wrong = (part: string, names: readonly string[]) =>
    names.map((name) => [part, name] as const).slice(0, 1)
  return [
    ...wrong(
      'by',
      by.filter((name) => !isBy(name)),
    ),
    ...wrong(
      'frozen',
      frozen.filter((name) => !isColumn(name)),
    ),
    ...wrong(
      'columns',
      columns.filter((name) => !isColumn(name)),
    ),
    ...(isCounted ? [] : wrong('progress', [progress])),
    ...(passed === undefined || isFlag(byName.get(passed)?.uiType)
      ? []
      : wrong('passed', [passed])),
    ...(add === undefined || (isAddable && !by.includes(add.field))
      ? []
      : wrong('add.field', [add.field])),
  ]
}

function isFlag(uiType: UiType | undefined): boolean {
  return uiType !== undefined && findKind(uiType).family === 'flag'
}
