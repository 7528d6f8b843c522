/** `[中文, English]`. */
export type Pair = readonly [zh: string, en: string]

/** Keeps the literal types of keys and sentences, so that `t()` knows which holes a sentence has. */
export const group = <const T extends Readonly<Record<string, Pair>>>(pairs: T): T => pairs
