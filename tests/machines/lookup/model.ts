import type { DictItem } from '@jiaowu/api/entity/values'
import type { LookupAnswer } from '@jiaowu/api/contract/entity/entity-data'
import { lookupMachine } from '@jiaowu/machines/lookup/machine'
import { bare, modelSpec } from '../spec.ts'
import { lookupRules } from './rules.ts'
import type { MachineModel } from '../machine-model.ts'
import { apiProblem } from '../problems.ts'

const items = (...ids: readonly string[]): DictItem[] => ids.map((id) => ({ id, name: `n${id}` }))
const answers = {
  paged: { records: items('a', 'b'), total: 25 },
  // A tree is searched on the client: its one node is found by `x`.
  plain: [{ id: 'c', name: 'ncx' }],
  none: { records: [], total: 0 },
} satisfies Record<string, LookupAnswer>

export interface LookupSeen {
  readonly at: string
  readonly items: string
  readonly total: number
  readonly page: number
  readonly searchKey: string
  readonly problem: number | null
  readonly offers: string
  readonly entered: boolean
}
const offered = ['lookup.open', 'lookup.close', 'lookup.retry'] as const

/** The choices of one field whose parent may change under it. */
const lookupModel = modelSpec({
  machine: lookupMachine,
  input: () => ({ tag: 'A', fieldId: 'f' }),
  events: {
    'lookup.open': bare,
    'lookup.close': bare,
    'lookup.retry': bare,
    'lookup.search': { x: { searchKey: 'x' }, nothing: { searchKey: '' } },
    'lookup.choose': { shown: { id: 'a' }, gone: { id: 'z' } },
    'lookup.enter': { shown: { id: 'a' }, empty: { id: null } },
    'lookup.page': { second: { pageNum: 2 }, first: { pageNum: 1 } },
    'cascades.change': { parent: { cascades: { faculty: '1' } } },
  },
  outcomes: {
    find: {
      paged: { ok: true, output: answers.paged },
      plain: { ok: true, output: answers.plain },
      none: { ok: true, output: answers.none },
      down: { ok: false, error: apiProblem(503) },
    },
  },
  unhandled: 'all',
  key: (s) => {
    const c = s.context
    return JSON.stringify([
      s.value,
      c.searchKey,
      c.pageNum,
      c.items.map(({ id }) => id).join(),
      c.total,
      c.cascades,
      s.matches({ open: 'failed' }),
      c.entered,
    ])
  },
  project: (s): LookupSeen => {
    const c = s.context
    return {
      at: JSON.stringify(s.value) + [...s.tags].sort().join(),
      items: c.items.map(({ id }) => id).join(),
      total: c.total,
      page: c.pageNum,
      searchKey: c.searchKey,
      problem: s.matches({ open: 'failed' }) ? (c.problem?.code ?? null) : null,
      entered: c.entered,
      offers: offered.filter((type) => s.can({ type })).join(),
    }
  },
})

export const lookupModels: MachineModel<LookupSeen> = {
  parts: { lookup: lookupModel },
  rules: lookupRules,
}
