import ExcelJS from 'exceljs'

/**
 * Every sheet of a file we wrote ourselves, as rows of cell values. Not for uploads: `load` hangs on hostile files. The stream
 * reader is not used here because its unzipper now and then misses the last entry of a small archive, `xl/workbook.xml`.
 */
export async function readSheets(bytes: ArrayBuffer): Promise<ReadonlyMap<string, unknown[][]>> {
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes)
  return new Map(
    book.worksheets.map((sheet) => {
      const rows: unknown[][] = []
      sheet.eachRow((row) => {
        rows.push((row.values as unknown[]).slice(1))
      })
      return [sheet.name, rows]
    }),
  )
}
