import type { Sentences } from './load-texts.ts'

/** Filled by the build (vite-texts.ts). While developing and testing all texts are there at once. */
export const sentences: Sentences = {}
