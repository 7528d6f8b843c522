import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** The student and report (docs/spec/2-student-service-and-designer.md §3, print record). */
export interface PrintSubject {
  readonly reportId: string
  readonly stuNo: string
}
export interface PrintPreviewPorts {
  /** The call `print.preview`: a PDF in base64. */
  readonly preview: Port<PrintSubject, string>
  /** The call `print.download`; receives and saves the file. */
  readonly download: Port<PrintSubject, void>
}
export function printPreviewActors(ports: PrintPreviewPorts): ActorsOf<PrintPreviewPorts> {
  return createPortActors(ports, ['preview', 'download'])
}
