// Numbers: separators of thousands, signs of money and percent, units, brackets for below zero.

const units = /(?:分|学分|学时|课时|元|人|个|门|次|节|周|岁|年|cm|kg|%|‰)$/i
const scientific = /^[+-]?\d(?:\.\d+)?E[+-]?\d{1,2}$/i

/** `text`: in half width (`plainBlanks`). Undefined when it is no number. */
export function tidyNumber(text: string): string | undefined {
  const bracketed = /^\((.+)\)$/.exec(text)
  const bare = (bracketed?.[1] ?? text)
    .replace(/^(?:人民币|RMB|CNY|USD|[¥￥$€£])\s*/i, '')
    .replace(/[−–—]/g, '-')
    .trim()
    .replace(units, '')
    .trim()
  const grouped = /^[+-]?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?$/.test(bare)
  const plain = (grouped ? bare.replace(/[, ]/g, '') : bare)
    .replace(/\.$/, '')
    .replace(/^([+-]?)\./, '$10.')
  const number = scientific.test(plain) ? expandExponent(plain) : plain
  if (number === undefined || !/^[+-]?\d+(?:\.\d+)?$/.test(number)) return undefined
  return bracketed === null ? number : `-${number.replace(/^[+-]/, '')}`
}

/** Undefined beyond 15 digits: a spreadsheet has dropped the others. */
function expandExponent(text: string): string | undefined {
  const n = Number(text)
  const plain = String(n)
  return Number.isFinite(n) && Math.abs(n) < 1e15 && !plain.includes('e') ? plain : undefined
}

/** `1.10105E+17`: what a spreadsheet leaves of a long number that is saved as text. */
export function hasLostDigits(text: string): boolean {
  return /^\d(?:\.\d+)?E\+\d{2}$/i.test(text)
}
