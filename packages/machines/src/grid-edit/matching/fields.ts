// Which fields name a row, and which can be compared with text.
import { type EntityConfig, type Field, isDerived } from '@jiaowu/api/entity/config'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'

/** Fields whose values rows of a list carry. */
export function listedFields(config: EntityConfig): readonly Field[] {
  return config.fields.filter(({ isList, uiType }) => isList === 1 && holdsValue(uiType))
}

/** Whether a column that cannot be changed says which row it is: derived values follow from others. */
export function isChecked(field: Field): boolean {
  const { family, markup, secret } = findKind(field.uiType)
  return !isDerived(field) && family !== 'media' && !markup && !secret
}

/**
 * Fields by which a row can be found: unique ones, the title, the frozen columns of an entry sheet, and
 * others that are not changed in a grid.
 */
export function keyFields(
  config: EntityConfig,
  isEditable: (field: Field) => boolean,
): readonly Field[] {
  return listedFields(config).filter((field) => {
    const { family, multiple } = findKind(field.uiType)
    const tells = family === 'text' || family === 'number' || (family === 'choice' && !multiple)
    return tells && isChecked(field) && (isNamed(config, field) || !isEditable(field))
  })
}

/** Whether a field is there to tell rows apart. */
export function isNamed({ tagField, idField, entry }: EntityConfig, field: Field): boolean {
  const { attrName, unique } = field
  return (
    unique === true ||
    attrName === tagField ||
    attrName === idField ||
    entry?.frozen.includes(attrName) === true
  )
}
