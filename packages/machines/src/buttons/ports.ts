import type { ButtonAction } from '@jiaowu/api/entity/definition/button'
import type { Values } from '@jiaowu/api/entity/values'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** A write that a button declares, with its placeholders filled. */
export interface ButtonRequest {
  readonly tag: string
  readonly method: 'create' | 'update' | 'remove'
  /** Empty for `create`; ids joined by commas for `remove`. */
  readonly id: string
  readonly values: Values
}

export interface ButtonsPorts {
  /**
   * The actions of an SQL button, as the server says. It refuses them with 501
   * (docs/rules/contract.md#definitions).
   */
  readonly loadActions: Port<
    { readonly tag: string; readonly code: string },
    readonly ButtonAction[]
  >
  readonly sendRequest: Port<ButtonRequest, void>
}

export function buttonsActors(ports: ButtonsPorts): ActorsOf<ButtonsPorts> {
  return createPortActors(ports, ['loadActions', 'sendRequest'])
}
