import { type ApiProblem, type Job, limits } from '@jiaowu/api'
import type { ReviewRows } from '@jiaowu/machines'
import { ExportDrawer } from '../../../apps/web/src/features/export/export-drawer.tsx'
import { ImportDrawer } from '../../../apps/web/src/features/import/import-drawer.tsx'
import { bySelector, type Target } from '../../surfaces/web/dom/by-role.ts'
import { dismissToasts, effectLog, watchStorage } from '../../surfaces/web/dom/effects.ts'
import { answered, type HeldFetch } from '../../surfaces/web/http/held-fetch.ts'
import { text } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import type { Host } from '../../surfaces/web/table.ts'
import { config, modes, query, sheetBytes, sheetRows } from './web-model.ts'

export const status: Target = bySelector('[role=status]', bySelector('.jw-tr'))
export const far: Target = bySelector('p', status)

export function host(): Host {
  const effects = effectLog([{ message: { key: 'transfer.saved' }, tone: 'success' }])
  let answer: { readonly port: string; readonly job: Job } | null = null
  // A removal without an answer is a new start by the user; a cancelled job that wrote nothing is not reported.
  const isEnd = () =>
    answer !== null &&
    !(
      answer.port === 'cancelJob' &&
      answer.job.status === 'cancelled' &&
      answer.job.inserted + answer.job.updated === 0
    )
  return {
    mount: (start, held) => {
      if (start === 'job') sessionStorage.setItem('JIAOWU_IMPORT_A', 'j')
      // The drawer stores the job under way for a reload.
      const stored = watchStorage('JIAOWU_IMPORT_A', (id) =>
        effects.add(
          id === null && isEnd() ? { type: 'finished', job: answer?.job } : { type: 'job', id },
        ),
      )
      return {
        element: inConsole(
          held,
          start === 'sheet' ? (
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
          ),
        ),
        stop: () => stored.stop(),
      }
    },
    background: () => answered(null),
    reply: (port, { output }, { path }) => {
      if (port === 'recall') {
        const { jobs, total, remembered } = output as {
          jobs: Job[]
          total: number
          remembered: unknown
        }
        return answered(
          path === '/job'
            ? { records: jobs, total, size: limits.historyPageSize, current: 1 }
            : remembered,
        )
      }
      if (port === 'loadRows')
        return answered({ ...(output as ReviewRows), size: limits.reviewPageSize, current: 1 })
      answer = { port, job: output as Job }
      return answered(output)
    },
    end: (held, port, outcome) => {
      answer = null
      if (port !== 'saveFile' && port !== 'exportSheet') return false
      if (port === 'exportSheet' && outcome.ok) receiveRest(held)
      held.finish(port, outcome.ok ? undefined : (outcome.error as ApiProblem))
      return true
    },
    before: () => {
      answer = null
      dismissToasts()
    },
    takeEffects: effects.take,
  }
}

/** The bytes of the sheet that have not arrived yet. */
function receiveRest(held: HeldFetch): void {
  const got = /([\d.]+) KB/.exec(text(far)())?.[1]
  held.send('exportSheet', sheetBytes - Number(got ?? 0) * 1024, { 'x-rows': String(sheetRows) })
}
