import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import { useCallback, useState } from 'react'
import { paths } from '../../paths.ts'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import type { OpenForm } from '../entity-form/form-overlay.tsx'

/**
 * Opens add, edit and view over the list, or in a tab or window of their own
 * (docs/spec/1-entity-console.md §2).
 */
export function useForms(tag: string, { config, may }: Pick<EntityListView, 'config' | 'may'>) {
  const { t } = useText()
  const { openTab } = useTabs()
  const [form, setForm] = useState<OpenForm | null>(null)
  const open = useCallback(
    (next: OpenForm) => {
      if (config === null) return
      const { openType } = config.options
      if (openType === 'tab') {
        const title = t(titleKey(next), { name: config.name })
        openTab(tabPath(tag, next, title), title)
      } else if (openType === 'window') window.open(`#${windowPath(tag, next)}`, '_blank')
      else setForm(next)
    },
    [config, openTab, t, tag],
  )
  const close = useCallback(() => setForm(null), [])
  const add = may.add ? () => open({ id: null, viewOnly: false }) : null
  const edit = may.edit ? (id: string) => open({ id, viewOnly: false }) : null
  const copy = may.add ? (id: string) => open({ id: null, viewOnly: false, copyOf: id }) : null
  return { form, open, close, add, edit, copy, addBelow: createAddBelow(may.addBelow, open) }
}

/**
 * Opens the form of a new row below another; null where the form does not ask for the row above.
 */
function createAddBelow(parent: string | null, open: (form: OpenForm) => void) {
  return parent === null
    ? null
    : (row: { readonly id: string }, name: string) =>
        open({ id: null, viewOnly: false, defaults: { [parent]: [{ id: row.id, name }] } })
}

function titleKey({ id, viewOnly }: OpenForm) {
  return viewOnly ? 'form.viewTitle' : id === null ? 'form.addTitle' : 'form.editTitle'
}

function tabPath(tag: string, { id, viewOnly, copyOf }: OpenForm, title: string): string {
  if (viewOnly && id !== null) return paths.details(tag, { id, title })
  return paths.form(tag, { ...shownRecord(id, copyOf), title })
}

function windowPath(tag: string, { id, viewOnly, copyOf }: OpenForm): string {
  if (viewOnly && id !== null) return paths.detailsWindow(tag, { id })
  return paths.formWindow(tag, shownRecord(id, copyOf))
}

function shownRecord(id: string | null, copyOf: string | undefined) {
  return { ...(id === null ? {} : { id }), ...(copyOf === undefined ? {} : { copyOf }) }
}
