import { ColumnPart } from './column-part.tsx'
import {
  ActionPicker,
  ButtonPicker,
  ExportPicker,
  FigureFieldPicker,
  FigurePicker,
  FilterPicker,
  FurtherSortPicker,
  GroupPicker,
  SizePicker,
  SortPicker,
  ViewPicker,
} from './list-pickers.tsx'
import type { ListPart, ListPartProps } from './list-props.ts'
import { RecordPart } from './record-part.tsx'
import { ValuePart } from './value-part.tsx'

const plain = {
  filter: FilterPicker,
  sort: SortPicker,
  sortMore: FurtherSortPicker,
  columns: ColumnPart,
  group: GroupPicker,
  figures: FigureFieldPicker,
  views: ViewPicker,
  size: SizePicker,
  export: ExportPicker,
  buttons: ButtonPicker,
} as const

/** The part that stands over the rows. */
export function ShownPart({ at, ...props }: ListPartProps & { readonly at: ListPart }) {
  if (at.part === 'value') return <ValuePart {...props} field={at.field} />
  if (at.part === 'figure') return <FigurePicker {...props} field={at.field} />
  if (at.part === 'record') return <RecordPart {...props} row={at.row} />
  if (at.part === 'actions') return <ActionPicker {...props} row={at.row} />
  if (at.part === 'help') return null
  const Part = plain[at.part]
  return <Part {...props} />
}
