import type { TableState } from '@jiaowu/api/entity/definition/table-change'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { useApi } from '../../../app/api-context.ts'
import { tellSaved } from '../../../app/saved-signal.ts'
import { definitionsSignal } from '../../../ports/designer-ports.ts'
import { definitionSignal } from '../../entity-list/fresh-definition.tsx'
import { useLoad } from '../definitions/use-load.ts'

/** The table of a saved definition, for those who may change it. */
export function useTableState(
  { draft, isNew, version }: DesignerView,
  onReload: () => void,
): { readonly state: TableState | null; readonly onChanged: () => void } {
  const { api, can, reloadProfile } = useApi()
  const { tag } = draft
  const isOpen = !isNew && draft.schemaName !== 'sys' && can('entity:adopt')
  const { data } = useLoad(isOpen ? `${tag} ${String(version)}` : null, (signal) =>
    api.design.tableState({ params: { tag }, signal }),
  )
  return {
    state: isOpen ? data : null,
    onChanged: () => {
      tellSaved(definitionsSignal)
      tellSaved(definitionSignal(tag))
      reloadProfile()
      onReload()
    },
  }
}
