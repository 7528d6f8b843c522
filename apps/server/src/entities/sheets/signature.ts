import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import type { ExtraSheet } from './write/xlsx-stream.ts'

/** The name of the sheet with the signature (docs/rules/requests.md#r12). */
export const signatureSheet = '_jiaowu'
/** Choices that the cells of a template refer to. */
export const listSheet = '_lists'

/** The purpose that a file was made for. An import refuses a file made for another entity. */
export interface Signature {
  readonly tag: string
  /** Changes with every save of the entity's definition. */
  readonly revision: string
  readonly kind: 'template' | 'export'
  /** attrNames in the order of the columns. */
  readonly columns: readonly string[]
  /** The cells of the example row of a template. */
  readonly example?: readonly string[] | undefined
}

export function buildSignature(
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

/** A signature as one cell of JSON on a sheet that spreadsheets cannot show. */
export function signatureExtra(signature: Signature): ExtraSheet {
  return {
    name: signatureSheet,
    hidden: true,
    rows: [[JSON.stringify(signature)]],
  }
}
