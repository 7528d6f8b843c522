/** An amount in fen as yuan with two decimals; a dash for none. */
export function yuan(fen: number | null): string {
  return fen === null ? '—' : (fen / 100).toFixed(2)
}
