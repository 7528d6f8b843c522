import type { Locale } from '@jiaowu/api/locale'
import type { Message, t as translate } from '@jiaowu/api/texts/index'
import { createContext, useContext } from 'react'

type Rest<T> = T extends (locale: Locale, ...rest: infer R) => string ? R : never

/** Texts in the language of the person. */
export interface Texts {
  readonly locale: Locale
  /** `t('common.save')`, with its placeholders filled. */
  readonly t: <K extends Parameters<typeof translate>[1]>(
    key: K,
    ...params: Rest<typeof translate<K>> extends [unknown, ...infer P] ? P : never
  ) => string
  readonly messageText: (message: Message | string) => string
}

export type Translate = Texts['t']

export const TextContext = createContext<Texts | null>(null)
export function useText(): Texts {
  const texts = useContext(TextContext)
  if (texts === null) throw new Error('useText outside of TextContext')
  return texts
}
