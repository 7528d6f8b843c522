// ID numbers that fit what is known of one.

/**
 * The ID numbers that fit what is known, for somebody who also knows the region of birth, as many
 * people do of each other.
 */
export function listFittingIdNumbers(
  known: readonly (string | null)[],
  { region, birth, isMale }: { readonly region: string; readonly birth: string; isMale: boolean },
): readonly string[] {
  const fits = (number: string) =>
    [...number].every((sign, at) => known[at] === null || known[at] === sign)
  return Array.from({ length: 500 }, (_, pair) => pair * 2 + (isMale ? 1 : 0))
    .map((sequence) => `${region}${birth}${String(sequence).padStart(3, '0')}`)
    .map((first17) => first17 + checkDigit(first17))
    .filter(fits)
}

/** GB 11643-1999: the check digit of the first 17. */
function checkDigit(first17: string): string {
  const sum = [...first17].reduce(
    (total, sign, at) => total + Number(sign) * (2 ** (17 - at) % 11),
    0,
  )
  return '10X98765432'[sum % 11] ?? ''
}
