import type { Column } from '../../src/model/fields/column.ts'

/** A column as the catalog describes it: without limits, that may be empty and has no default. */
export function sampleColumn(name: string, type: string, more: Partial<Column> = {}): Column {
  return {
    name,
    type,
    length: null,
    precision: null,
    scale: null,
    nullable: true,
    hasDefault: false,
    generated: false,
    ...more,
  }
}
