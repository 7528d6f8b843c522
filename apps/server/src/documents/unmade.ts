import type { Message } from '@jiaowu/api/texts/index'
import { Refusal } from '../platform/refusal.ts'

/** A document cannot be made: trying again would fail in the same way. */
export class DocumentUnmade extends Refusal {
  constructor(text: Message, cause: unknown) {
    super(422, text)
    this.cause = cause
  }
}
