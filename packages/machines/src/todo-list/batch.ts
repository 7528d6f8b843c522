// The decisions that several cases take together.
import type { FlowTodo } from '@jiaowu/api/contract/entity/flow'

export type FlowOffered = FlowTodo['can'][number]

/** Names a case among those of all entities. */
export function buildTodoKey({ tag, id }: Pick<FlowTodo, 'tag' | 'id'>): string {
  return `${tag}/${id}`
}

/** Decisions that ask for no field: a field is filled in for each case by itself. */
export function listBatchOffers({ can }: Pick<FlowTodo, 'can'>): readonly FlowOffered[] {
  return can.filter(({ ask }) => !ask.some(({ required }) => required))
}

/**
 * Decisions that all of these cases take. A note is required where one of them requires it. Names
 * that differ stand beside each other.
 */
export function listCommonOffers(rows: readonly FlowTodo[]): readonly FlowOffered[] {
  const [first, ...others] = rows
  if (first === undefined) return []
  return listBatchOffers(first).flatMap((offer) => {
    const same = others.flatMap(
      (row) => listBatchOffers(row).find(({ event }) => event === offer.event) ?? [],
    )
    if (same.length < others.length) return []
    const all = [offer, ...same]
    return [
      {
        event: offer.event,
        name: [...new Set(all.map(({ name }) => name))].join(' / '),
        ask: [],
        ...(all.some(({ isRefusal }) => isRefusal === true) && { isRefusal: true }),
        note: all.some(({ note }) => note === 'required')
          ? ('required' as const)
          : all.some(({ note }) => note === 'optional')
            ? ('optional' as const)
            : null,
      },
    ]
  })
}
