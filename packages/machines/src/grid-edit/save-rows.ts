// Saves of single rows over the client of the contract, side by side.
import { ApiProblem, type Problem, toProblem, staleCode } from '@jiaowu/api/problem'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { createRequest } from '@jiaowu/api/client/create-request'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import type { ChangedBy } from './context.ts'
import { isLost } from './edits/edits.ts'
import type { RowSave, SaveAnswer } from './ports.ts'

type Api = Pick<Client<typeof contract>, 'entityData' | 'history' | 'session'>

/** Rows that are saved side by side. */
const lanes = 4

/** Ids that were made for new rows, by the keys of these: a create that is repeated has the same id. */
export interface NewIds {
  readonly get: (key: string) => string | undefined
  readonly set: (key: string, id: string) => unknown
}

interface SaveAll {
  readonly tag: string
  readonly rows: readonly RowSave[]
  readonly config: EntityConfig | null
  readonly newIds: NewIds
}

/** @throws when no row was answered */
export async function saveAll(
  api: Api,
  { tag, rows, config, newIds }: SaveAll,
  signal: AbortSignal,
): Promise<readonly SaveAnswer[]> {
  const answers: SaveAnswer[] = []
  const errors: unknown[] = []
  const waiting = [...rows]
  const idOf = async (key: string) => {
    const id = newIds.get(key) ?? (await api.session.generateId({ signal }))
    newIds.set(key, id)
    return id
  }
  const lane = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const { key } = row
      try {
        answers.push({
          key,
          row:
            row.id === null
              ? await createRow(api, tag, row, config, await idOf(key), signal)
              : await update(api, tag, row, row.id, signal),
        })
      } catch (error) {
        errors.push(error)
        const problem = toProblem(error)
        const isStale = problem.code === staleCode
        const by = isStale && row.id !== null ? await lastChange(api, tag, row.id, signal) : null
        answers.push({ key, problem, ...(by === null ? {} : { by }) })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, rows.length) }, lane))
  if (answers.length > 0 && answers.every((each) => 'problem' in each && isLost(each.problem)))
    throw errors[0]
  return answers
}

function createRow(
  api: Api,
  tag: string,
  { values }: RowSave,
  config: EntityConfig | null,
  newId: string,
  signal: AbortSignal,
): Promise<Row> {
  const request = createRequest({ formId: config?.formId === true }, { ...values }, newId)
  return api.entityData.create({ params: { tag }, ...request, signal })
}

async function update(
  api: Api,
  tag: string,
  { values, version, expects }: RowSave,
  id: string,
  signal: AbortSignal,
): Promise<Row> {
  let known = version
  if (expects !== null) {
    const row = await api.entityData.get({ params: { tag, id }, signal })
    if (!Object.entries(expects).every(([name, value]) => isAlike(row[name], value)))
      throw staleProblem(row)
    known = row.version ?? null
  }
  return api.entityData.update({
    params: { tag, id },
    body: { ...values, ...(known === null || known === undefined ? {} : { version: known }) },
    signal,
  })
}

/** Finds the last change of a row; null where its history does not say, or cannot be read. */
async function lastChange(
  api: Api,
  tag: string,
  id: string,
  signal: AbortSignal,
): Promise<ChangedBy | null> {
  try {
    const { entries } = await api.history.of({ params: { tag, id }, signal })
    const [last] = entries
    return last === undefined ? null : { name: last.user?.name ?? null, at: last.at }
  } catch {
    return null // the conflict is shown without it
  }
}

function isAlike(a: WireValue | undefined, b: WireValue): boolean {
  const plain = (value: WireValue | undefined) =>
    isEmpty(value)
      ? null
      : Array.isArray(value)
        ? (value as readonly { id: string }[]).map(({ id }) => id).join('\n')
        : String(value)
  return plain(a) === plain(b)
}

function staleProblem(row: Row): ApiProblem {
  const problem: Problem = {
    kind: 'refused',
    code: staleCode,
    message: { key: 'form.staleTitle' },
    issues: [],
    data: row,
    traceId: null,
  }
  return new ApiProblem(problem)
}
