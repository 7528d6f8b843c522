import type { SavedViews, ViewInput } from '@jiaowu/api/entity/list/view'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** A view to store; without an id a new one. */
export interface ViewSave {
  readonly tag: string
  readonly id: string | null
  readonly version: number
  readonly view: ViewInput
}

/** Every write answers the resulting views. */
export interface ViewsPorts {
  readonly loadViews: Port<{ readonly tag: string }, SavedViews>
  readonly saveView: Port<ViewSave, SavedViews & { readonly id: string }>
  readonly removeView: Port<{ readonly tag: string; readonly id: string }, SavedViews>
  readonly chooseOpening: Port<{ readonly tag: string; readonly opens: string }, SavedViews>
  readonly keepLayout: Port<
    { readonly tag: string; readonly columns: readonly string[] | null },
    { readonly columns: readonly string[] | null }
  >
}

export function viewsActors(ports: ViewsPorts): ActorsOf<ViewsPorts> {
  return createPortActors(ports, [
    'loadViews',
    'saveView',
    'removeView',
    'chooseOpening',
    'keepLayout',
  ])
}
