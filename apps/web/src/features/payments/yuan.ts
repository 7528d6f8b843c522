/** Fen as yuan with two decimals; nothing where there is none. */
export const yuan = (fen: number | null): string => (fen === null ? '—' : (fen / 100).toFixed(2))
