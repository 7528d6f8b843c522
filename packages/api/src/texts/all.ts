import { adminTexts } from './console/admin.ts'
import { administrationTexts } from './console/administration.ts'
import { attachmentTexts } from './console/attachment.ts'
import { auditTexts } from './server/audit.ts'
import { bulkTexts } from './console/bulk.ts'
import { cliBulkTexts } from './terminal/cli-bulk.ts'
import { cliFlowTexts } from './terminal/cli-flow.ts'
import { cliListTexts } from './terminal/cli-list.ts'
import { cliOfficeTexts } from './terminal/cli-office.ts'
import { cliTransferTexts } from './terminal/cli-transfer.ts'
import { cliDesignTexts } from './terminal/cli-design.ts'
import { cliTexts } from './terminal/cli.ts'
import { commonTexts } from './common.ts'
import { documentTexts } from './student/document.ts'
import { deviceTexts } from './console/device.ts'
import { designTexts } from './console/design.ts'
import { designerFlowTexts } from './console/designer-flow.ts'
import { designerTexts } from './console/designer.ts'
import { entityCheckTexts } from './server/entity-checks.ts'
import { entityServerTexts } from './server/entity-server.ts'
import { entityTexts } from './entity.ts'
import { entryTexts } from './console/entry.ts'
import { factorTexts } from './console/factor.ts'
import { fieldTexts } from './field.ts'
import { flowPanelTexts } from './console/flow.ts'
import { handTexts } from './console/hand.ts'
import { todoTexts } from './console/todo.ts'
import { flowTexts } from './server/flow.ts'
import { gridTexts } from './console/grid.ts'
import { listTexts } from './console/list.ts'
import { paperTexts } from './student/paper.ts'
import { pdfTexts } from './student/pdf.ts'
import { printPageTexts } from './student/print-page.ts'
import { problemTexts } from './server/problem.ts'
import { ruleTexts } from './server/rule.ts'
import { adoptTexts } from './server/adopt.ts'
import { madeTexts } from './server/made.ts'
import { serverTexts } from './server/server.ts'
import { sessionTexts } from './console/session.ts'
import { sheetTableTexts } from './console/sheet-table.ts'
import { tableChangeTexts } from './console/table-change.ts'
import { shellTexts } from './console/shell.ts'
import { ssoTexts } from './console/sso.ts'
import { studentFlowTexts } from './student/student-flow.ts'
import { studentPageTexts } from './student/student-page.ts'
import { providerTexts } from './server/provider.ts'
import { studentServerTexts } from './server/student-server.ts'
import { transferTexts } from './console/transfer.ts'
import { transferWebTexts } from './console/transfer-web.ts'
import { transferServerTexts } from './server/transfer-server.ts'
import { verifyTexts } from './student/verify.ts'
import { viewTexts } from './console/view.ts'

/** All texts of the interface. Each key holds both languages, so that neither can be missing. */
export const allTexts = {
  ...adminTexts,
  ...entryTexts,
  ...administrationTexts,
  ...attachmentTexts,
  ...auditTexts,
  ...bulkTexts,
  ...deviceTexts,
  ...ssoTexts,
  ...cliBulkTexts,
  ...cliDesignTexts,
  ...cliFlowTexts,
  ...cliListTexts,
  ...cliOfficeTexts,
  ...cliTexts,
  ...cliTransferTexts,
  ...commonTexts,
  ...documentTexts,
  ...designTexts,
  ...designerFlowTexts,
  ...designerTexts,
  ...entityCheckTexts,
  ...entityServerTexts,
  ...entityTexts,
  ...factorTexts,
  ...fieldTexts,
  ...flowPanelTexts,
  ...handTexts,
  ...todoTexts,
  ...flowTexts,
  ...gridTexts,
  ...listTexts,
  ...pdfTexts,
  ...paperTexts,
  ...printPageTexts,
  ...problemTexts,
  ...ruleTexts,
  ...adoptTexts,
  ...madeTexts,
  ...serverTexts,
  ...sessionTexts,
  ...sheetTableTexts,
  ...tableChangeTexts,
  ...shellTexts,
  ...studentFlowTexts,
  ...studentPageTexts,
  ...providerTexts,
  ...studentServerTexts,
  ...transferTexts,
  ...transferWebTexts,
  ...transferServerTexts,
  ...verifyTexts,
  ...viewTexts,
}
