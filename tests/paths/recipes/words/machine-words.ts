/** A sentence in Chinese and in English. `{some.key}` is a text of the product, `{name}` a value of the step's data. */
export type Words = readonly [zh: string, en: string]

/** The sentences of one machine, by the names that its author gave. */
export interface MachineWords {
  readonly name: Words
  /** Where a person finds the screen. */
  readonly place: Words
  /** The situation before the first step, by the start; a machine with one start may leave it out. */
  readonly starts?: Readonly<Record<string, Words>>
  /** By the state's id without the machine's. */
  readonly states: Readonly<Record<string, Words>>
  /** By the event's type; `type(sample)` where the data decides what a person does. */
  readonly events: Readonly<Record<string, Words>>
  /** Calls of the server, as nouns. */
  readonly calls: Readonly<Record<string, Words>>
  /** `call.outcome`, where the outcome's name alone does not say it. */
  readonly endings?: Readonly<Record<string, Words>>
  /** Countdowns and pauses, by their names. */
  readonly times?: Readonly<Record<string, Words>>
}
