import { isJobOver } from '@jiaowu/api/contract/job'
import type { AnyMachineSnapshot } from 'xstate'
import { bulkPorts } from '../../../apps/web/src/features/bulk/use-bulk.ts'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import { bulkEditModels } from './model.ts'
import { buildBulkCalls, isMark } from './server-calls.ts'
import { bulkRows } from './server-rows.ts'

/**
 * Many rows changed or deleted at once: previewed, applied, cancelled, refused; and what other
 * users do to the rows meanwhile.
 */
export const serverBulkEdit: ServerParts = async ({ run, registrar, listed, children }) => {
  const subject = await registrar(),
    rows = await listed(),
    sink = fileSink()
  const { api } = await run.helper('admin')
  const bulk = bulkRows(api, rows, await children())
  const { attr } = bulk,
    selection = { queries: { [rows.name]: `${rows.stem}1` } }
  const elsewhere = (await run.helper('registrar')).api
  run.onClose('a row that uses another', bulk.release)
  return buildServerParts({
    model: bulkEditModels,
    ports: bulkPorts({ api: subject.api, saveFile: sink.save }),
    subject,
    calls: buildBulkCalls({ bulk, elsewhere, sink }),
    samples: {
      'field.add': { text: { attrName: attr } },
      'value.change': { text: { attrName: attr, value: rows.stem } },
    },
    before: bulk.renew,
    after: async () => {
      await bulk.release()
      await rows.look()
    },
    key: buildBulkKey,
    parts: {
      changing: {
        start: () => ({ tag: rows.tag, action: 'update', selection }),
        events: `field.add, value.change, preview.start, preview.back, onError.change(abort),
          apply.start, job.cancel`,
      },
      deleting: {
        start: () => ({ tag: rows.tag, action: 'delete', selection }),
        events: 'apply.start, preview.back, result.save(all)',
      },
    },
  })
}

function buildBulkKey({ value, context: c }: AnyMachineSnapshot): readonly unknown[] {
  const { job } = c
  return [
    value,
    Object.keys(c.set),
    c.id !== null,
    job?.status === 'queued' ? 'running' : (job?.status ?? null),
    job?.status === 'paused'
      ? [job.failed > 0, job.changed === 0]
      : isMark(job?.message)
        ? job.message
        : null,
    job !== null && !isJobOver(job) && job.phase === 'writing',
    job?.can.result ?? null,
    c.onError,
    c.problem?.kind ?? null,
    c.saving?.only ?? null,
  ]
}
