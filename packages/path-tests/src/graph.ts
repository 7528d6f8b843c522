export { buildMachineGraph, type MachineGraph } from './graph/graph.ts'
export { toMermaid } from './graph/mermaid.ts'
export { shortEvent } from './graph/short-event.ts'
