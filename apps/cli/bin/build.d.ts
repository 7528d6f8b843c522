/** Path of the built command. */
export const main: string
/** Builds the command if its sources exist and are newer. */
export const buildIfStale: () => void
