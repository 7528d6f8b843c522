import type { DictItem } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { lookupMachine } from './machine.ts'

export interface LookupView {
  readonly open: boolean
  readonly busy: boolean
  readonly searchKey: string
  readonly items: readonly DictItem[]
  readonly total: number
  readonly pageNum: number
  readonly pageCount: number
  readonly problem: Problem | null
}
export function lookupView(s: SnapshotFrom<typeof lookupMachine>): LookupView {
  const { searchKey, items, total, pageNum, problem } = s.context
  return {
    open: s.hasTag('open'),
    busy: s.hasTag('busy'),
    searchKey,
    items,
    total,
    pageNum,
    pageCount: Math.max(1, Math.ceil(total / limits.lookupPageSize)),
    problem: s.matches({ open: 'failed' }) ? problem : null,
  }
}
