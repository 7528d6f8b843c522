import type { LoadedEntity, LoadedField } from '../definition/loaded.ts'
import type { ExtraSheet } from './writers.ts'

/** The sheet that says what a file was made for; an import refuses a file made for something else (docs/rules/requests.md#r12). */
export const signatureSheet = '_jiaowu'

export interface Signature {
  readonly tag: string
  /** Changes with every save of the entity's definition. */
  readonly revision: string
  readonly kind: 'template' | 'export'
  /** attrNames in the order of the columns. */
  readonly columns: readonly string[]
}

export function signatureOf(
  entity: LoadedEntity,
  kind: Signature['kind'],
  fields: readonly LoadedField[],
): Signature {
  return {
    tag: entity.tag,
    revision: entity.revision,
    kind,
    columns: fields.map(({ definition }) => definition.attrName),
  }
}

/** One cell of JSON on a sheet that spreadsheets do not offer to show. */
export function signatureExtra(signature: Signature): ExtraSheet {
  return {
    name: signatureSheet,
    hidden: true,
    rows: [[JSON.stringify(signature)]],
  }
}
