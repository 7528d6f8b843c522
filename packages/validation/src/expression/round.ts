/**
 * Rounds half away from zero, as PostgreSQL's `numeric` does. The digits beyond the 15 that a double
 * holds are dropped first: `1.15 * 3` is 3.4499999999999997 and rounds to 3.5.
 */
export function roundTo(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value
  const places = Math.max(0, Math.min(15, Math.trunc(digits)))
  const rounded = shiftDecimalPoint(
    Math.round(shiftDecimalPoint(Math.abs(Number(value.toPrecision(15))), places)),
    -places,
  )
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** Moves the decimal point without the error of a multiplication. */
function shiftDecimalPoint(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}
