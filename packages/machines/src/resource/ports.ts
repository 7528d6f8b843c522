import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** One action of a page: its name and what it acts on. Plain data, compared by its JSON. */
export interface ActionRequest {
  readonly name: string
  readonly input: unknown
}
export interface ResourcePorts {
  /** Reads what the page shows for a query. The signal aborts when the answer is no longer wanted. */
  readonly load: Port<unknown, unknown>
  /** Runs an action on the server. Never aborted: the server may have done it already. */
  readonly act: Port<ActionRequest, unknown>
}
export function resourceActors(ports: ResourcePorts): ActorsOf<ResourcePorts> {
  return createPortActors(ports, ['load', 'act'])
}
