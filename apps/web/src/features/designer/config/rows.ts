import type { TextKey } from '@jiaowu/api'
import type { DesignerEdit } from '@jiaowu/machines'

/** One of a closed list, as a person reads it. */
export interface Choice {
  readonly value: string
  readonly text: string
}

/** How an attribute is edited; `set` is the edit a new value makes. */
export type Control =
  | {
      readonly is: 'text'
      readonly value: string
      readonly lines?: number
      readonly mono?: boolean
      readonly placeholder?: string
      readonly suggestions?: readonly Choice[]
      readonly set: (value: string) => DesignerEdit
    }
  | {
      readonly is: 'number'
      readonly value: number | null
      readonly min: number
      readonly max: number
      readonly set: (value: number | null) => DesignerEdit
    }
  | {
      readonly is: 'switch'
      readonly value: boolean
      readonly set: (value: boolean) => DesignerEdit
    }
  | {
      readonly is: 'choice'
      readonly value: string
      readonly items: readonly Choice[]
      readonly set: (value: string) => DesignerEdit
    }
  | {
      readonly is: 'many'
      readonly value: readonly string[]
      readonly items: readonly Choice[]
      readonly set: (value: readonly string[]) => DesignerEdit
    }
  | { readonly is: 'shown'; readonly value: string }

/** An attribute: where findings name it, what it is called, how it is edited. */
export interface ConfigRow {
  readonly path: string
  readonly label: TextKey
  readonly hint?: TextKey
  readonly control: Control
}

/** Editors of their own, for what is a list of things. */
export type Editor = 'cascades' | 'sorts' | 'segments' | 'buttons'
export interface ConfigSection {
  readonly title: TextKey
  readonly rows: readonly ConfigRow[]
  readonly editor?: Editor
}

/** The words of the person, and what they may choose from. */
export interface ConfigTools {
  readonly t: (key: TextKey) => string
  readonly maySql: boolean
  readonly dictionaries: readonly Choice[]
  readonly entities: readonly Choice[]
  /** Attributes of the entity that the selected field takes its choices from. */
  readonly attributes: readonly Choice[]
}

export function choicesOf<T extends string | number>(
  values: readonly T[],
  word: (value: T) => string,
): readonly Choice[] {
  return values.map((value) => ({ value: String(value), text: word(value) }))
}
/** A value that is not on the list (any more) is still shown. */
export function withCurrent(items: readonly Choice[], value: string): readonly Choice[] {
  return value === '' || items.some((item) => item.value === value)
    ? items
    : [...items, { value, text: value }]
}
/** The object with `key` set, or without it when there is nothing to say. */
export function withKey<T extends object, K extends keyof T>(
  object: T,
  key: K,
  value: T[K] | undefined,
): T {
  const { [key]: _old, ...rest } = object
  return (value === undefined ? rest : { ...rest, [key]: value }) as T
}
