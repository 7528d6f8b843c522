// Outcomes of the import of a file, as its review shows it.
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { maskPii } from '@jiaowu/api/pii'
import { importFile } from '../../../support/imports.ts'
import type { DirtyFile } from './parts.ts'

type Api = Client<typeof contract>

export interface Outcome {
  /** The text of the refusal, or of the question that the import waits with. */
  readonly refused?: string
  readonly asks?: string
  readonly rows?: number
  /** Rules of the wrong cells, in order. */
  readonly wrong?: readonly string[]
  readonly notes?: string
  /** The first new row by attrName. */
  readonly first?: Readonly<Record<string, unknown>>
}

export async function importToOutcome(api: Api, file: File): Promise<Outcome> {
  const started = await importFile(api, 'EDU_STUDENT', file, { pauseAt: 'review' }).catch(
    readRefusalText,
  )
  if (typeof started === 'string') return { refused: started }
  const { id, status, phase, message, total, errors, sheet } = started
  if (status === 'failed') return { refused: message ?? '' }
  const records = phase === 'mapping' ? [] : await freshRows(api, id)
  await api.job.cancel({ params: { id } })
  if (phase === 'mapping') return { asks: message ?? '' }
  const [first] = records
  return {
    rows: total,
    wrong: errors.map(({ rule }) => rule),
    notes: sheet?.notes.join('; ') ?? '',
    ...(first === undefined
      ? {}
      : { first: Object.fromEntries(first.cells.map(({ attrName, after }) => [attrName, after])) }),
  }
}

function readRefusalText(error: unknown): string {
  const { problem } = error as { problem?: { issues?: readonly { msg: string }[] } }
  if (problem === undefined) throw error
  return problem.issues?.[0]?.msg ?? ''
}

async function freshRows(api: Api, id: string) {
  const query = { verdict: 'fresh', pageSize: 100 } as const
  return (await api.job.rows({ params: { id }, query })).records
}

/** Where the outcome is not the expected one. */
export function compareOutcome(file: DirtyFile, found: Outcome): string[] {
  const isText = (name: 'refused' | 'asks') =>
    (file[name] === undefined) === (found[name] === undefined) &&
    (found[name] ?? '').includes(file[name] ?? '')
  if (!isText('refused')) return [`refused: ${found.refused ?? 'no'}`]
  if (!isText('asks')) return [`asks: ${found.asks ?? 'no'}`]
  if (file.refused !== undefined || file.asks !== undefined) return []
  const wrong = (file.wrong ?? []).join()
  return [
    ...(wrong === found.wrong?.join() ? [] : [`wrong: ${found.wrong?.join() ?? ''}`]),
    ...(file.rows === undefined || file.rows === found.rows ? [] : [`rows: ${found.rows}`]),
    ...(found.notes?.includes(file.note ?? '') === true ? [] : [`notes: ${found.notes}`]),
    ...Object.entries(file.first ?? {}).flatMap(([name, value]) => {
      const cell = found.first?.[name]
      return cell === toReviewValue(name, value) ? [] : [`${name}: ${String(cell ?? 'nothing')}`]
    }),
  ]
}

const yesNo: Readonly<Record<string, string>> = { '1': '是', '0': '否' }

/** As the review shows it. */
export function toReviewValue(attrName: string, value: unknown): unknown {
  return attrName === 'onCampus'
    ? yesNo[String(value)]
    : attrName === 'idCard' || attrName === 'mobile'
      ? maskPii(attrName, String(value))
      : value
}
