import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { findKind, minColumnWidth } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import type { CSSProperties } from 'react'
import { shownColumns } from './column-order.ts'

export type Widths = Readonly<Record<string, number>>
export interface Column {
  readonly field: Field
  readonly label: string
  readonly width: number
  /** The user set the width. */
  readonly isGiven: boolean
  readonly align: 'left' | 'center' | 'right'
  readonly fixed: 'left' | 'right' | null
  readonly offset: number
  readonly edge: 'left' | 'right' | null
}

/**
 * The columns from left to right: fixed left, free, fixed right, each with its sticky offset.
 * @param chosen attrNames the user chose, in order; null: those of the definition
 * @param widths px, set by the user
 * @param frozen the last column that stays at the left, besides those the definition pins
 */
export function layOutColumns(
  config: EntityConfig,
  selectable: boolean,
  operationWidth: number,
  chosen: readonly string[] | null = null,
  widths: Widths = {},
  frozen: string | null = null,
): readonly Column[] {
  const shown = shownColumns(config, chosen)
  const edge = shown.findIndex(({ attrName }) => attrName === frozen)
  const bare = shown.map((field, index) => {
    const label = field.options.column?.label ?? field.uiLabel
    const least = minColumnWidth(field.uiType, label)
    const given = widths[field.attrName]
    return {
      field,
      label,
      width: given ?? Math.max(field.options.column?.width ?? least, limits.columnWidth.least),
      isGiven: given !== undefined,
      align: field.options.column?.align ?? findKind(field.uiType).align,
      fixed: index <= edge ? ('left' as const) : (field.options.column?.fixed ?? null),
      offset: 0,
      edge: null,
    }
  })
  const [left, free, right] = [
    bare.filter((c) => c.fixed === 'left'),
    bare.filter((c) => c.fixed === null),
    bare.filter((c) => c.fixed === 'right'),
  ]
  let at = selectable ? limits.selectionColumnWidth : 0
  const stuckLeft = left.map((column, i) => {
    const offset = at
    at += column.width
    return { ...column, offset, edge: i === left.length - 1 ? ('left' as const) : null }
  })
  let back = operationWidth
  const stuckRight = right
    .toReversed()
    .map((column, i) => {
      const offset = back
      back += column.width
      return { ...column, offset, edge: i === right.length - 1 ? ('right' as const) : null }
    })
    .toReversed()
  return [...stuckLeft, ...free, ...stuckRight]
}

export function columnClass({ align, fixed, edge }: Column, index: number): string {
  return [
    align === 'left' ? '' : `is-${align}`,
    fixed === null ? '' : 'is-fixed',
    index > 0 && fixed !== null ? 'is-loose-narrow' : '',
    edge === null ? '' : `is-edge-${edge}`,
  ]
    .filter((name) => name !== '')
    .join(' ')
}

export function columnStyle({ width, isGiven, fixed, offset }: Column): CSSProperties {
  return {
    minWidth: width,
    maxWidth: isGiven ? width : Math.max(width, 320),
    ...(isGiven ? { width } : {}),
    ...(fixed === null ? {} : { [fixed]: offset }),
  }
}
