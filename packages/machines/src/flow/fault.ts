import type { FlowName } from '@jiaowu/api/entity/definition/flow'
import type { Pair } from '@jiaowu/api/texts/group'
import type { TextKey } from '@jiaowu/api/texts/index'

/** The stable id of a finding about a flow, which is also the key of its text. */
export type FlowFaultId = Extract<TextKey, `flow.fault.${string}`>

/** A step of the path that shows the fault: who acts, and by which event. */
export interface FlowPathStep {
  readonly who: Pair
  readonly event: Pair
}

export interface FlowFault {
  readonly id: FlowFaultId
  readonly severity: 'error' | 'warning'
  /** `options.flow.states.review.on.APPROVE` */
  readonly at: string
  readonly path: readonly FlowPathStep[]
  /** Paths of the states that the fault concerns. */
  readonly states: readonly string[]
  readonly params: Readonly<Record<string, string | number | Pair>>
}

export function toPair({ zh, en }: FlowName): Pair {
  return [zh, en]
}

/** `甲 提交 → 乙（JWC） 同意` */
export function joinPathWords(path: readonly FlowPathStep[]): Pair {
  const join = (side: 0 | 1) =>
    path.map(({ who, event }) => `${who[side]} ${event[side]}`).join(' → ')
  return [join(0), join(1)]
}
