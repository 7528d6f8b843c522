import type { Message } from '@jiaowu/api/texts/index'
import { Invalid } from '../../platform/refusal.ts'

/** A file that cannot become a table. */
export function fileFault(message: Message): Invalid {
  return new Invalid([{ path: 'file', rule: 'file', message }])
}
