import type { contract } from '@jiaowu/api/contract/contract'
import type { Handlers } from '@jiaowu/api/endpoint'
import type { PlatformContext, PlatformServices } from '../platform/context.ts'
import type { EntityRegistry } from './definition/registry/entity-registry.ts'

/** The parts that live as long as the server. */
export interface Services extends PlatformServices {
  readonly registry: EntityRegistry
}

/** Input of a handler besides its parsed request. */
export interface Context extends PlatformContext, Services {}

/** All handlers. A call of the contract without a handler does not compile. */
export type ServerHandlers = Handlers<typeof contract, Context>
