import type { Step } from '../model/step.ts'

/** A step of a path, and the key of the model state it must lead to when the path comes from a graph. */
export interface PathStep {
  readonly step: Step
  readonly to: string | null
}

export interface Path {
  readonly id: string
  /** Name of the machine's start. */ readonly start: string
  readonly steps: readonly PathStep[]
  /** Edges of the graph, when the path comes from one. */ readonly edges: readonly number[]
}

/** A picture of a surface: a page as PNG (base64) or HTML, a terminal as text. */
export interface Picture {
  readonly kind: 'png' | 'html' | 'text'
  readonly data: string
}
