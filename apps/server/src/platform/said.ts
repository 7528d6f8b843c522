import type { Message } from '@jiaowu/api'

/** An error with the sentence a person is told, before it is put into a language. */
export class Said extends Error {
  readonly say: Message
  constructor(name: string, say: Message) {
    super(say.key)
    this.name = name
    this.say = say
  }
}
