import type { Button } from '@jiaowu/api/entity/definition/button'
import type { DefinitionCheck } from '@jiaowu/api/entity/definition/stored'
import type {
  EntityOptions,
  FieldDefinition,
  SerialSegment,
} from '@jiaowu/api/entity/definition/definition'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import type { TableColumn } from '@jiaowu/api/entity/definition/table'
import type { DesignTarget } from './ports.ts'
import type { CustomField, Draft, EntityPatch, Flag } from './draft.ts'
import type { FlowChange } from './flow/changes.ts'
import type { Part, Side } from './merge.ts'

export interface DesignerInput {
  readonly target: DesignTarget
}
export type PreviewKind = 'list' | 'form' | 'details'

export interface DesignerContext {
  readonly input: DesignerInput
  readonly stored: SavedEntity | null
  /**
   * The draft as loaded or last saved: the same object, so that undoing back to it counts as clean.
   * Null when it was never saved.
   */
  readonly saved: Draft | null
  readonly draft: Draft
  readonly past: readonly Draft[]
  readonly future: readonly Draft[]
  readonly columns: readonly TableColumn[]
  /** Id of the field in the configuration panel; null shows the entity. */
  readonly selected: string | null
  readonly check: DefinitionCheck | null
  readonly problem: Problem | null
  readonly json: { readonly text: string; readonly fault: Message | null } | null
  readonly stale: {
    readonly theirs: SavedEntity
    readonly choices: Readonly<Record<Part, Side>>
  } | null
  readonly note: string | null
}

/** Edits of the draft. Each is one undo step. */
export type DesignerEdit =
  | {
      readonly type: 'column.add'
      readonly columnName: string
      /** Index among the fields, from 0; at the end by default. */
      readonly at?: number
    }
  | { readonly type: 'group.add'; readonly at?: number }
  | { readonly type: 'custom.add'; readonly field: CustomField; readonly at?: number }
  | { readonly type: 'field.move'; readonly id: string; readonly to: number }
  | { readonly type: 'field.remove'; readonly id: string }
  | { readonly type: 'field.set'; readonly id: string; readonly patch: Partial<FieldDefinition> }
  | { readonly type: 'field.toggle'; readonly id: string; readonly flag: Flag }
  | { readonly type: 'entity.set'; readonly patch: EntityPatch }
  | { readonly type: 'option.set'; readonly patch: Partial<EntityOptions> }
  | { readonly type: 'serial.add'; readonly segment: SerialSegment['type'] }
  | { readonly type: 'serial.set'; readonly index: number; readonly segment: SerialSegment }
  | { readonly type: 'serial.remove'; readonly index: number }
  | { readonly type: 'button.add' }
  | { readonly type: 'button.set'; readonly index: number; readonly patch: Partial<Button> }
  | { readonly type: 'button.move'; readonly index: number; readonly to: number }
  | { readonly type: 'button.remove'; readonly index: number }
  | { readonly type: 'flow.edit'; readonly change: FlowChange }
  /** Replaces the whole draft, with an earlier revision. */
  | { readonly type: 'draft.replace'; readonly draft: Draft }

export type DesignerEvent =
  | { readonly type: 'draft.edit'; readonly edit: DesignerEdit }
  | { readonly type: 'history.undo' }
  | { readonly type: 'history.redo' }
  | { readonly type: 'field.select'; readonly id: string }
  | { readonly type: 'entity.select' }
  | { readonly type: 'preview.show'; readonly kind: PreviewKind }
  | { readonly type: 'preview.close' }
  | { readonly type: 'flow.show' }
  | { readonly type: 'flow.close' }
  | { readonly type: 'json.open' }
  | { readonly type: 'json.change'; readonly text: string }
  | { readonly type: 'json.format' }
  | { readonly type: 'json.apply' }
  | { readonly type: 'json.cancel' }
  | { readonly type: 'design.save'; readonly note?: string }
  | { readonly type: 'design.retry' }
  | { readonly type: 'design.leave' }
  | { readonly type: 'impact.accept' }
  | { readonly type: 'impact.cancel' }
  | { readonly type: 'leave.confirm' }
  | { readonly type: 'leave.cancel' }
  | { readonly type: 'stale.choose'; readonly part: Part; readonly side: Side }
  | { readonly type: 'stale.save' }
  | { readonly type: 'stale.cancel' }

export type DesignerEmitted =
  | { readonly type: 'saved'; readonly tag: string; readonly message: Message }
  | { readonly type: 'left' }
  /** Errors prevent the save: the surface goes to the first. */
  | { readonly type: 'invalid'; readonly path: string; readonly attrName: string | null }
