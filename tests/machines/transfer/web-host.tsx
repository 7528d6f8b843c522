import type { Job } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import type { ReviewRows } from '@jiaowu/machines/transfer/ports'
import { ExportDrawer } from '../../../apps/web/src/features/export/export-drawer.tsx'
import { ImportDrawer } from '../../../apps/web/src/features/import/import-drawer.tsx'
import { page } from '../../surfaces/web/dom/by-role.ts'
import { wrapData, type HeldFetch } from '../../surfaces/web/http/held-fetch.ts'
import type { Host } from '../../surfaces/web/table.ts'
import { config, modes, query, sheetBytes, sheetRows } from './web-model.ts'

export const status = page.css('.jw-tr').css('[role=status]')
export const far = status.css('p')
const storedKey = 'JIAOWU_IMPORT_A'

export function createTransferHost(): Host {
  let answer: { readonly port: string; readonly job: Job } | null = null
  const forget = () => {
    answer = null
  }
  return {
    show: (start) => {
      if (start === 'job') sessionStorage.setItem(storedKey, 'j')
      return start === 'sheet' ? (
        <ExportDrawer
          config={config}
          applied={query.queries}
          sorts={query.sorts}
          total={sheetRows}
          columns={null}
          onClose={() => {}}
        />
      ) : (
        <ImportDrawer config={config} modes={modes} onClose={() => {}} onChanged={() => {}} />
      )
    },
    // The drawer stores the job under way for a reload. A removal without an answer is a new start by the user.
    stored: [
      storedKey,
      (id) =>
        id === null && answer !== null && !isCancelledUnwritten(answer)
          ? { type: 'finished', job: answer.job }
          : { type: 'job', id },
    ],
    reply: (port, { output }, { path }) => {
      if (port === 'recall') {
        const { jobs, total, remembered } = output as {
          jobs: Job[]
          total: number
          remembered: unknown
        }
        return wrapData(
          path === '/job'
            ? { records: jobs, total, size: limits.historyPageSize, current: 1 }
            : remembered,
        )
      }
      if (port === 'loadRows')
        return wrapData({ ...(output as ReviewRows), size: limits.reviewPageSize, current: 1 })
      answer = { port, job: output as Job }
      return wrapData(output)
    },
    files: ['saveFile', 'exportSheet'],
    end: (held, port, { ok }) => {
      forget()
      if (port === 'exportSheet' && ok) receiveRest(held)
      return false
    },
    before: forget,
  }
}

/** A cancelled job that wrote nothing is not reported. */
function isCancelledUnwritten({ port, job }: { readonly port: string; readonly job: Job }) {
  return port === 'cancelJob' && job.status === 'cancelled' && job.inserted + job.updated === 0
}

/** The bytes of the sheet that have not arrived yet. */
function receiveRest(held: HeldFetch): void {
  const got = /([\d.]+) KB/.exec(far.text())?.[1]
  held.send('exportSheet', sheetBytes - Number(got ?? 0) * 1024, { 'x-rows': String(sheetRows) })
}
