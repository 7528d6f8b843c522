import type { Message } from '@jiaowu/api/texts/index'

/** An error with a message for the user, not yet translated. */
export class UserFacingError extends Error {
  readonly text: Message
  constructor(name: string, text: Message) {
    super(text.key)
    this.name = name
    this.text = text
  }
}
