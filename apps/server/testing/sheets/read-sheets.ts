import ExcelJS from 'exceljs'

/**
 * Every sheet of a file that the product wrote, as rows of cell values. Not for uploads, because `load`
 * hangs on hostile files. The stream reader sometimes misses `xl/workbook.xml`, the last entry of a
 * small archive. Dates are given in the form that the product shows.
 */
export async function readSheets(bytes: ArrayBuffer): Promise<ReadonlyMap<string, unknown[][]>> {
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes)
  return new Map(
    book.worksheets.map((sheet) => {
      const rows: unknown[][] = []
      sheet.eachRow((row) => {
        rows.push((row.values as unknown[]).slice(1).map(wireForm))
      })
      return [sheet.name, rows]
    }),
  )
}

function wireForm(value: unknown): unknown {
  if (!(value instanceof Date)) return value
  const [day = '', clock = ''] = value.toISOString().slice(0, 19).split('T')
  if (value.getUTCFullYear() < 1900) return clock
  return clock === '00:00:00' ? day : `${day} ${clock}`
}
