import type { TextKey } from '@jiaowu/api/texts/index'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'

/** An option of a select: wire value and display text. */
export interface Choice {
  readonly value: string
  readonly text: string
}

/** Control of an attribute; `set` returns the edit for a new value. */
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
      /** The order of the values counts: those chosen come first, and can be moved. */
      readonly ordered?: true
      readonly set: (value: readonly string[]) => DesignerEdit
    }
  | { readonly is: 'shown'; readonly value: string }

export type ControlOf<Kind extends Control['is']> = Extract<Control, { readonly is: Kind }>

/** An attribute: its path in findings, its label, and its control. */
export interface ConfigRow {
  readonly path: string
  readonly label: TextKey
  readonly hint?: TextKey
  readonly control: Control
}

/** Sections with a list that has its own editor. */
export type Editor = 'cascades' | 'sorts' | 'segments' | 'buttons'
export interface ConfigSection {
  readonly title: TextKey
  readonly rows: readonly ConfigRow[]
  readonly editor?: Editor
}

/** Translation, permissions and options that the sections need. */
export interface ConfigTools {
  readonly t: (key: TextKey) => string
  readonly maySql: boolean
  readonly dictionaries: readonly Choice[]
  readonly entities: readonly Choice[]
  /** Attributes of the entity that the selected field takes its choices from. */
  readonly attributes: readonly Choice[]
}

export function buildChoices<T extends string | number>(
  values: readonly T[],
  textOf: (value: T) => string,
): readonly Choice[] {
  return values.map((value) => ({ value: String(value), text: textOf(value) }))
}

/** The options, with the current value added if the list does not have it. */
export function withCurrent(items: readonly Choice[], value: string): readonly Choice[] {
  return value === '' || items.some((item) => item.value === value)
    ? items
    : [...items, { value, text: value }]
}

/** Copy of the object with `key` set to `value`, or without `key` if the value is undefined. */
export function withKey<T extends object, K extends keyof T>(
  object: T,
  key: K,
  value: T[K] | undefined,
): T {
  const { [key]: _old, ...rest } = object
  return (value === undefined ? rest : { ...rest, [key]: value }) as T
}
