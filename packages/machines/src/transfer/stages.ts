import type { TransferStep } from './view.ts'

/** The stages of an import, in their order. */
export const transferStages = ['choosing', 'checking', 'reviewing', 'running', 'done'] as const

/** The place of a step among the stages. */
export function transferStage(step: TransferStep): number {
  return {
    choosing: 0,
    uploading: 0,
    opening: 0,
    unopened: 0,
    checking: 1,
    reviewing: 2,
    confirming: 2,
    sending: 2,
    running: 3,
    paused: 3,
    cancelling: 3,
    done: 4,
    failed: 4,
  }[step]
}
