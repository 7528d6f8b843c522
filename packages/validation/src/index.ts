export { isSafeAddress } from './address.ts'
export { type BoundName, boundNames, boundReads, boundsIn, brokenBounds } from './bounds/bounds.ts'
export { derivedValues, type Formula, type FormulaField, parseFormulas } from './derived/derive.ts'
export * from './entity-checks/index.ts'
export * from './expression/index.ts'
export {
  type Checked,
  checkField,
  findMisfitText,
  fieldSchema,
  hasRules,
  validateField,
  validateValues,
  type ValuesFault,
} from './field-schema.ts'
export { operatorFor, refit, withoutRelation } from './refit.ts'
export type { FieldFault, RuledField, TypedField } from './ruled-field.ts'
export { rules, findRules } from './rules/index.ts'
export { weightedLength } from './rules/length.ts'
export type { Rule } from './rules/rule.ts'
export { readTyped, sentValue, type Typed } from './typed/read-typed.ts'
export { unwrapLines } from './typed/texts.ts'
export { findWarning } from './warnings.ts'
