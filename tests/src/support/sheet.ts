import ExcelJS from 'exceljs'

export interface ReadSheet {
  readonly name: string
  readonly rows: readonly (readonly unknown[])[]
}

/** The first visible sheet, read by the streaming reader; formula-free cells as values. */
export const readSheet = async (path: string): Promise<ReadSheet> => {
  const reader = new ExcelJS.stream.xlsx.WorkbookReader(path, { sharedStrings: 'cache', styles: 'cache', hyperlinks: 'ignore', worksheets: 'emit' })
  for await (const sheet of reader) {
    const rows: unknown[][] = []
    for await (const row of sheet) rows.push(Array.isArray(row.values) ? row.values.slice(1) : [])
    return { name: (sheet as unknown as { name: string }).name, rows }
  }
  throw new Error(`no sheet in ${path}`)
}
