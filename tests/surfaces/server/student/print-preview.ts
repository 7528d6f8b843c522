import type { PrintPreviewPorts, PrintSubject } from '@jiaowu/machines/print-preview/ports'
import { printPorts } from '../../../../apps/web/src/ports/print-ports.ts'
import { printPreviewModels } from '../../../machines/print-preview/model.ts'
import { type Faults, must } from '../checks.ts'
import { answers, refuseEndedSession, forbidden, refuses } from '../endings.ts'
import { fileSink } from '../file-sink.ts'
import { firstRow } from '../rows/rows.ts'
import type { RunContext } from '../run-context.ts'
import { type ServerParts, buildServerParts } from '../server-part.ts'

/** Staff preview a report and download it. */
export const serverPrintPreview: ServerParts = async ({ run, registrar }) => {
  const subject = await registrar(),
    printed = await someStudent(run),
    sink = fileSink()
  return buildServerParts<PrintPreviewPorts>({
    model: printPreviewModels,
    ports: printPorts({ api: subject.api, saveFile: sink.save }),
    subject,
    start: () => printed,
    calls: {
      preview: {
        pdf: answers('cGRm', { check: (content) => pdfFaults(content) }),
        gone: refuses(404, (asked) => ({ input: { ...asked, stuNo: `${run.prefix}nobody` } })),
        forbidden: forbidden(),
        ended: refuseEndedSession(),
      },
      download: {
        saved: answers(undefined, { check: () => pdfFaults(sink.take()) }),
        refused: forbidden(),
      },
    },
    key: ({ value, context: c }) => [value, c.pdf !== null, c.problem?.code ?? null],
    parts: { printPreview: {} },
  })
}

/** @param content a string is in base64 */
export function pdfFaults(content: string | Uint8Array): Faults {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'base64') : content
  const begin = new TextDecoder('latin1').decode(bytes.subarray(0, 5))
  return must(begin === '%PDF-', 'the file is no PDF')
}

/**
 * A student with reports, found in the demo data by the text of their record that the print calls
 * accept as a number.
 */
async function someStudent(run: RunContext): Promise<PrintSubject> {
  const { api } = await run.helper('registrar')
  const { id: _id, ...texts } = (await firstRow(api, 'EDU_STUDENT')).row ?? { id: '' }
  for (const stuNo of Object.values(texts)) {
    if (typeof stuNo !== 'string' || !/^[\w-]{4,20}$/.test(stuNo)) continue
    const [report] = await api.print.reports({ query: { stuNo } }).catch(() => [])
    if (report !== undefined) return { stuNo, reportId: report.id }
  }
  throw new Error('no student of EDU_STUDENT has reports')
}
