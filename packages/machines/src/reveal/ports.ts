import { createPortActors, type ActorsOf, type Port } from '../port.ts'

export interface RevealedValue {
  readonly value: string
  /** How long the value may be shown. */
  readonly seconds: number
}
/** The call `entityData.reveal`. Rejects with code 429 when the hour's limit is reached. */
export interface RevealPorts {
  readonly reveal: Port<
    {
      readonly tag: string
      readonly rowId: string
      readonly field: string
      readonly reason: string
    },
    RevealedValue
  >
}
export function revealActors(ports: RevealPorts): ActorsOf<RevealPorts> {
  return createPortActors(ports, ['reveal'])
}
