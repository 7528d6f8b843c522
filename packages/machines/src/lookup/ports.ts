import type { DictItem } from '@jiaowu/api/entity/values'
import type { LookupAnswer } from '@jiaowu/api/contract/entity/entity-data'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

export interface LookupQuestion {
  readonly tag: string
  readonly fieldId: string
  readonly searchKey: string
  /** Chosen ids of the cascade parents. */
  readonly cascades: Readonly<Record<string, string>>
  readonly pageNum: number
  readonly pageSize: number
}
export interface LookupPorts {
  readonly find: Port<LookupQuestion, LookupAnswer>
}
export const lookupActors = (ports: LookupPorts): ActorsOf<LookupPorts> =>
  createPortActors(ports, ['find'])

/**
 * Answers from given items: a local dictionary is paged on the client
 * (docs/spec/1-entity-console.md §9). Trees are answered whole.
 */
export function findLocally(items: readonly DictItem[], tree: boolean): LookupPorts['find'] {
  return ({ searchKey, pageNum, pageSize }) => {
    if (tree) return Promise.resolve([...items])
    const found = items.filter(({ name }) =>
      name.toLowerCase().includes(searchKey.trim().toLowerCase()),
    )
    return Promise.resolve({
      records: found.slice((pageNum - 1) * pageSize, pageNum * pageSize),
      total: found.length,
    })
  }
}
