import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { type Job, isJobOver } from '@jiaowu/api/contract/job'
import ExcelJS from 'exceljs'

type Api = Client<typeof contract>
export type SheetCell = string | number | boolean | null | Date | ExcelJS.CellValue

async function book(fill: (book: ExcelJS.Workbook) => void): Promise<File> {
  const made = new ExcelJS.Workbook()
  fill(made)
  return new File([new Uint8Array((await made.xlsx.writeBuffer()) as ArrayBuffer)], 'sheet.xlsx')
}
/** A workbook with one sheet. */
export function toSheet(rows: readonly (readonly SheetCell[])[], name = 'Sheet1'): Promise<File> {
  return book((made) => {
    made.addWorksheet(name).addRows(rows as unknown[][])
  })
}
export function toCsv(text: string | Uint8Array<ArrayBuffer>, name = 'rows.csv'): File {
  return new File([text], name)
}

/** Polls until the job is over or paused. */
export async function waitForJob(api: Api, id: string): Promise<Job> {
  for (;;) {
    const job = await api.job.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

type Choices = Omit<Parameters<Api['job']['import']>[0]['body'], 'file'>
/** Uploads a file and waits until the job is over or paused. */
export async function importFile(
  api: Api,
  tag: string,
  file: File,
  choices: Choices = {},
): Promise<Job> {
  const { id } = await api.job.import({ params: { tag }, body: { file, ...choices } })
  return await waitForJob(api, id)
}

async function readBytes(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
/** The cells of a sheet that the server wrote. */
export async function readSheetCells(
  stream: ReadableStream<Uint8Array>,
  sheet = 0,
): Promise<unknown[][]> {
  const read = new ExcelJS.Workbook()
  await read.xlsx.load((await readBytes(stream)).buffer)
  const rows: unknown[][] = []
  read.worksheets[sheet]?.eachRow((row) => {
    rows.push((row.values as unknown[]).slice(1))
  })
  return rows
}
