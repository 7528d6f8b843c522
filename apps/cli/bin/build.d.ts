/** Path of the built command. */
export const main: string
/** Builds it where its sources are at hand and newer. */
export const buildIfStale: () => void
