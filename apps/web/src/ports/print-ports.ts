import type { PrintPreviewPorts } from '@jiaowu/machines/print-preview/ports'
import type { Services } from '../app/api-context.ts'

const isId = (code: string): boolean => /^\d+$/.test(code)

/**
 * Ports of the print preview over HTTP. A report is given by its id, or in a URL by its code among
 * the student's reports.
 */
export function printPorts({
  api: { print },
  saveFile,
}: Pick<Services, 'api' | 'saveFile'>): PrintPreviewPorts {
  const idOf = async (code: string, stuNo: string, signal: AbortSignal): Promise<string> => {
    if (isId(code)) return code
    const found = (await print.reports({ query: { stuNo }, signal })).find(
      ({ reportCode }) => reportCode === code,
    )
    return found?.id ?? '0' // an id that never exists: the server answers with "not found"
  }
  return {
    preview: async ({ reportId, stuNo }, signal) =>
      print.preview({ body: { reportId: await idOf(reportId, stuNo, signal), stuNo }, signal }),
    download: async ({ reportId, stuNo }, signal) =>
      saveFile(
        await print.adminDownload({
          body: { account: stuNo, reportId: await idOf(reportId, stuNo, signal) },
          signal,
        }),
        undefined,
        signal,
      ),
  }
}
