import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { titleNames } from '@jiaowu/api/entity/title'
import type { Row } from '@jiaowu/api/entity/values'
import { isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { valueText } from '@jiaowu/api/fields/money'
import { patternName } from '../buttons/question.ts'

/** A row of a list as a card of a narrow screen. */
export interface Card {
  readonly title: string
  /** Choices with colours, beside the title. */
  readonly states: readonly Field[]
  /** The first columns of the list that the title does not say already. */
  readonly lines: readonly Field[]
}

const most = { states: 2, lines: 3 } as const

/** @param columns those of the list, in their order */
export function buildCard(config: EntityConfig, columns: readonly Field[], row: Row): Card {
  const name = patternName(row, config)
  const first = columns.find((field) => name === null && textIn(row, field) !== '')
  const said =
    name === null
      ? [first?.attrName]
      : [...titleNames(config.titlePattern ?? ''), config.tagField ?? '']
  const others = columns.filter(
    (field) => !said.includes(field.attrName) && !isEmpty(row[field.attrName] ?? null),
  )
  const states = others.filter(hasTones).slice(0, most.states)
  return {
    title: name ?? (first === undefined ? row.id : textIn(row, first)),
    states,
    lines: others.filter((field) => !states.includes(field) && isLine(field)).slice(0, most.lines),
  }
}

function textIn(row: Row, field: Field): string {
  return findKind(field.uiType).family === 'media' ? '' : valueText(field, row[field.attrName])
}

/** Masked values say nothing on a card; they are revealed in the record. */
function isLine({ uiType, pii }: Field): boolean {
  return findKind(uiType).family !== 'media' && (pii ?? null) === null
}

/** A choice whose items have tones says what state a record is in. */
export function hasTones({ dictData }: Pick<Field, 'dictData'>): boolean {
  return dictData?.some(({ tone }) => tone !== undefined) === true
}
