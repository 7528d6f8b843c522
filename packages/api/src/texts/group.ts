/** `[中文, English]`. */
export type Pair = readonly [zh: string, en: string]

/** Keeps the literal types of keys and texts, so that `t()` knows the placeholders of each text. */
export const group = <const T extends Readonly<Record<string, Pair>>>(pairs: T): T => pairs
