/** How the cells of a column are typed in a workbook. Years are text. */
export type SheetCellType = 'text' | 'number' | 'date' | 'datetime' | 'time'
