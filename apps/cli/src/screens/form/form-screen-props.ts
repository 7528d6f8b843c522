import type { Locale } from '@jiaowu/api/locale'
import type { LookupPorts } from '@jiaowu/machines/lookup/ports'
import type { MakeReveal } from './reveal-screen.tsx'
import { entityFormMachine } from '@jiaowu/machines/entity-form/machine'
import type { ActorRefFrom } from 'xstate'

type FormActor = ActorRefFrom<typeof entityFormMachine>

export interface FormScreenProps {
  readonly actor: FormActor
  readonly locale: Locale
  readonly find: LookupPorts['find']
  /**
   * The sign-in form covers the form after the session ended: it keeps its input and ignores keys.
   */
  readonly isCovered?: boolean
  /** Makes the machine that shows a masked value; missing: the user has no right to see one. */
  readonly makeReveal?: MakeReveal
}
