import type { Validator } from '@jiaowu/api/entity/enums'
import { digits, email, http, idCard, mobile, numeric, positiveNumber } from './patterns.ts'
import type { Rule } from './rule.ts'

/** The validators of `valids.type`, by name. */
export const rules = {
  Email: email,
  mobile,
  Http: http,
  Number: numeric,
  Digits: digits,
  PositiveNumber: positiveNumber,
  Idcard: idCard,
} as const satisfies Record<Validator, Rule>

const isValidator = (name: string): name is Validator => Object.hasOwn(rules, name)
/**
 * The rules of a `valids.type` list such as `Email,mobile`. Skips unknown names, which the
 * definition checks report.
 */
export function findRules(type: string | undefined): Rule[] {
  return (type ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(isValidator)
    .map((name) => rules[name])
}
