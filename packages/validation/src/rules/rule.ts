import type { TextKey } from '@jiaowu/api/texts/index'

/** A rule for a non-empty text; only `required` sees empty values. */
export interface Rule {
  readonly name: string
  readonly message: TextKey
  readonly passes: (text: string) => boolean
}
