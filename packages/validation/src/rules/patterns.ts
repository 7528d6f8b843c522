import type { Rule } from './rule.ts'

/** At most 254 characters (RFC 5321), one @, and a domain with a dot. */
const address =
  /^(?=.{3,254}$)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}$/
export const email: Rule = {
  name: 'Email',
  message: 'rule.email',
  passes: (text) => !text.includes('..') && address.test(text),
}
/** Any decimal with an optional sign. */
export const numeric = pattern('Number', 'rule.number', /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/)

// docs/spec/1-entity-console.md §5. Every pattern runs in linear time: no nested quantifiers, and
// bounded lengths where a scan could repeat.
function pattern(name: string, message: Rule['message'], regex: RegExp): Rule {
  return {
    name,
    message,
    passes: (text) => regex.test(text),
  }
}

/** Above zero. Accepts empty texts, as every rule except `required` does. */
export const positiveNumber: Rule = {
  name: 'PositiveNumber',
  message: 'rule.positiveNumber',
  passes: (text) => /^\+?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) && /[1-9]/.test(text),
}
/** A phone number of mainland China: optional 86 or 0086, then 1 and ten digits. */
export const mobile = pattern('mobile', 'rule.mobile', /^(?:0086|86)?1\d{10}$/)
/** 18 characters, year of birth 19xx or 20xx, the last can be X. */
export const idCard = pattern(
  'Idcard',
  'rule.idCard',
  /^[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]$/,
)
/** Positive integer without leading zero. */
export const digits = pattern('Digits', 'rule.digits', /^[1-9]\d*$/)
/**
 * Uses the URL parser, because patterns for URLs are prone to catastrophic backtracking
 * (docs/rules/security.md#x16).
 */
export const http: Rule = {
  name: 'Http',
  message: 'rule.http',
  passes: (text) =>
    text.length <= 2000 &&
    !/\s/.test(text) &&
    URL.canParse(text) &&
    /^https?:$/.test(new URL(text).protocol) &&
    /^https?:\/\//i.test(text),
}
