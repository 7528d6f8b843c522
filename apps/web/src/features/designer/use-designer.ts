import type { DefinitionFinding } from '@jiaowu/api/entity/definition/stored'
import { problemText } from '@jiaowu/api/problem'
import { designerActors } from '@jiaowu/machines/designer/ports'
import type { DesignerEvent } from '@jiaowu/machines/designer/types'
import { designerMachine } from '@jiaowu/machines/designer/machine'
import { type DesignerView, designerView } from '@jiaowu/machines/designer/view'
import { useView } from '../../app/use-view.ts'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import { useUnsaved } from '../../app/unsaved.ts'
import { definitionSignal } from '../entity-list/fresh-definition.tsx'
import { tellSaved } from '../../app/saved-signal.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { paths } from '../../paths.ts'
import { definitionsSignal, designPorts } from '../../ports/designer-ports.ts'

/** Blurs the focused input, so that its text becomes an edit before the next action. */
export function finishTyping(): void {
  const at = document.activeElement
  if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement) at.blur()
}

/**
 * The designer of one entity: actor, view, reactions to its emitted events, and the title and
 * "dirty" mark of its tab.
 */
export function useDesigner(tag: string, table: string | null) {
  const { api, reloadProfile } = useApi()
  const { messageText, t } = useText()
  const { toast } = useNotice()
  const { setTabTitle, closeTab } = useTabs()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const path = pathname + search
  const actor = useMachineActor(() => ({
    machine: designerMachine.provide({ actors: designerActors(designPorts(api)) }),
    input: { target: table === null ? { tag } : { table, tag } },
  }))
  const view = useView(actor, designerView)
  useEffect(() => {
    const subscriptions = [
      actor.on('saved', ({ tag: saved, message }) => {
        toast('success', messageText(message))
        tellSaved(definitionsSignal)
        tellSaved(definitionSignal(saved))
        reloadProfile()
      }),
      actor.on('left', () => {
        closeTab(path)
        void navigate(paths.definitions)
      }),
    ]
    return () => {
      for (const each of subscriptions) each.unsubscribe()
    }
  }, [actor, toast, messageText, reloadProfile, closeTab, path, navigate])
  useUnsaved(view.unsaved)
  const title = view.step === 'loading' || view.step === 'failed' ? tag : view.draft.name
  useEffect(
    () => setTabTitle(path, t('designer.title', { name: title })),
    [setTabTitle, path, t, title],
  )
  return { actor, view, send: useCallback((event: DesignerEvent) => actor.send(event), [actor]) }
}

export type Designer = ReturnType<typeof useDesigner>

/**
 * Returns a function that goes to a finding: selects the field or the entity, then focuses the
 * faulty setting.
 */
export function useJump(
  { actor, view, send }: Designer,
  panel: RefObject<HTMLElement | null>,
  onShown: () => void,
) {
  const [wanted, setWanted] = useState<string | null>(null)
  const goTo = useCallback(
    (path: string, attrName: string | null) => {
      if (path.startsWith('options.flow')) {
        send({ type: 'flow.show' })
        return
      }
      const { draft, view: shown } = designerView(actor.getSnapshot())
      if (shown === 'flow') send({ type: 'flow.close' })
      // A field without a name is identified by its index.
      const [, at] = /^fields\.(\d+)\./.exec(path) ?? []
      const field =
        at !== undefined
          ? draft.fields[Number(at)]
          : path.startsWith('fields.')
            ? draft.fields.find((each) => each.attrName === attrName)
            : undefined
      send(field === undefined ? { type: 'entity.select' } : { type: 'field.select', id: field.id })
      onShown()
      setWanted(field === undefined ? path : path.replace(/^fields\.[^.]*\./, ''))
    },
    [actor, send, onShown],
  )
  useEffect(() => {
    const subscription = actor.on('invalid', ({ path, attrName }) => goTo(path, attrName))
    return () => subscription.unsubscribe()
  }, [actor, goTo])
  useEffect(() => {
    if (wanted === null || panel.current === null) return
    const button = /^buttons\.([^.]+)\./.exec(wanted)?.[1]
    const head =
      button === undefined
        ? null
        : panel.current.querySelector<HTMLElement>(`[data-button="${CSS.escape(button)}"]`)
    if (head !== null && head.getAttribute('aria-expanded') === 'false') head.click()
    const row = panel.current.querySelector<HTMLElement>(`[data-path="${CSS.escape(wanted)}"]`)
    const target = row?.querySelector<HTMLElement>('input, select, textarea, button') ?? head
    target?.scrollIntoView({ block: 'center' })
    target?.focus()
    setWanted(null)
  }, [wanted, panel, view.selected])
  return useCallback(({ path, attrName }: DefinitionFinding) => goTo(path, attrName), [goTo])
}

/**
 * Ctrl+S saves; Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y undo and redo edits, except in text inputs, which
 * undo their own text.
 */
export function useDesignerKeys(
  page: RefObject<HTMLElement | null>,
  { send, view }: Pick<Designer, 'send' | 'view'>,
  onSave: () => void,
): void {
  const isJson = view.view === 'json'
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        isJson ||
        page.current === null ||
        page.current.getClientRects().length === 0
      )
        return
      const key = event.key.toLowerCase()
      // Stop the event before the form of a preview handles it.
      if (key === 's') {
        event.preventDefault()
        event.stopImmediatePropagation()
        onSave()
      }
      if ((key !== 'z' && key !== 'y') || isTyping(event.target)) return
      event.preventDefault()
      send({ type: key === 'y' || event.shiftKey ? 'history.redo' : 'history.undo' })
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [isJson, page, send, onSave])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, input:not([type=checkbox], [type=radio])'))
  )
}

/** Messages of a failed save or load, without those that the findings already show. */
export function useProblemLines(view: DesignerView): readonly string[] {
  const { locale } = useText()
  const { problem } = view
  const shown = useRef(new Set<string>())
  shown.current = new Set(view.findings.map(({ msg }) => msg))
  return problem === null || problem.kind === 'session'
    ? []
    : [
        problemText(locale, problem),
        ...problem.issues.map(({ msg }) => msg).filter((msg) => !shown.current.has(msg)),
      ]
}
