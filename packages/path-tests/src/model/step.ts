import type { EventObject } from 'xstate'
import type { NamedOutcome } from './children.ts'

/** One step of a path. `event` is sent to the machine; `label` is printed. */
export type Step =
  | {
      readonly kind: 'user'
      readonly label: string
      readonly event: EventObject
      readonly sample: string
      /** No transition handles it here: nothing may change. */ readonly unhandled: boolean
      /** Unhandled or forbidden here: a surface need not offer it. */ readonly inert: boolean
      /** Set-up of the sample. */ readonly prepare: (() => void) | null
    }
  | {
      readonly kind: 'settle'
      readonly label: string
      readonly event: EventObject
      /** Name of the child that ends. */ readonly call: string
      /** Its source in `setup`. */ readonly source: string
      readonly outcome: NamedOutcome
    }
  | {
      readonly kind: 'child'
      readonly label: string
      readonly event: EventObject
      /** Name of the child that sends. */ readonly child: string
      /** The event is a snapshot of the child. */ readonly snapshot: boolean
    }
  | {
      readonly kind: 'time'
      readonly label: string
      readonly event: EventObject
      readonly timer: string
    }
export type UserStep = Extract<Step, { kind: 'user' }>
export type SettleStep = Extract<Step, { kind: 'settle' }>
export type ChildStep = Extract<Step, { kind: 'child' }>

/** The step's name in a reproduce line, such as `settle:createOrder → free`. */
export const stepId = (step: Step): string => `${step.kind}:${step.label}`
export const isUnhandled = (step: Step): boolean => step.kind === 'user' && step.unhandled
