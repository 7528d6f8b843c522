import type { tagsMachine } from '@jiaowu/machines/tags/machine'
import type { ActorRefFrom } from 'xstate'

export type TagsActor = ActorRefFrom<typeof tagsMachine>
