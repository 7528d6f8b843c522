import type { DefinitionCheck } from '@jiaowu/api/entity/definition/stored'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import type { TableColumn } from '@jiaowu/api/entity/definition/table'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** A stored entity, or a first draft for a table. */
export type DesignTarget =
  | { readonly tag: string }
  | { readonly table: string; readonly tag: string | null }
/** The data to edit. `stored` is null for a draft that was never saved. */
export interface DesignData {
  readonly stored: SavedEntity | null
  readonly draft: EntityDefinition
  readonly columns: readonly TableColumn[]
}

export interface DesignerPorts {
  readonly loadDesign: Port<DesignTarget, DesignData>
  readonly checkDesign: Port<{ readonly draft: EntityDefinition }, DefinitionCheck>
  /** Without a version a new definition is created. */
  readonly saveDesign: Port<
    {
      readonly draft: EntityDefinition
      readonly version: number | null
      readonly note: string | null
    },
    SavedEntity
  >
}
export function designerActors(ports: DesignerPorts): ActorsOf<DesignerPorts> {
  return createPortActors(ports, ['loadDesign', 'checkDesign', 'saveDesign'])
}
