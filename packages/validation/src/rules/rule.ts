import type { TextKey } from '@jiaowu/api'

/** A rule over one non-empty text. Rules never see empty values: only `required` does. */
export interface Rule {
  readonly name: string
  readonly message: TextKey
  readonly passes: (text: string) => boolean
}
