import { parseJson } from '@jiaowu/api/exact-json'
import type { Message } from '@jiaowu/api/texts/index'
import { gridActors, type GridPorts } from '@jiaowu/machines/grid-edit/ports'
import { gridApiPorts } from '@jiaowu/machines/grid-edit/api-ports'
import { gridEditMachine } from '@jiaowu/machines/grid-edit/machine'
import { gridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridHistory, GridQuery } from '@jiaowu/machines/grid-edit/context'
import { keptEdits } from '@jiaowu/machines/grid-edit/unsaved/kept'
import { sameView } from '@jiaowu/machines/same-view'
import { useSelector } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import type { Actor, SnapshotFrom } from 'xstate'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useTabOpen } from '../../app/unsaved.ts'
import { type Keeper, createKeeper, personPart } from './kept-edits.ts'
import { tellSaved } from '../../app/saved-signal.ts'

export type GridActor = Actor<typeof gridEditMachine>
export interface GridSubject {
  readonly tag: string
  readonly query: GridQuery
  readonly columns: readonly string[] | null
  readonly mayEdit: boolean
  readonly mayAdd: boolean
  /** Names the grid among those of the entity: what it leaves unsaved comes back to it only. */
  readonly place?: string
  /** Replace the server in tests. */
  readonly ports?: GridPorts
}
export type Grid = ReturnType<typeof useGrid>

export function useGrid(subject: GridSubject) {
  const { api, user } = useApi()
  const { messageText } = useText()
  const { tag, query, columns, mayEdit, mayAdd } = subject
  const person = `${personPart(user)}${tag}`
  const historyKey = `JIAOWU_GRID_${person}`
  const [keeper] = useState(() => createKeeper(`${person}${subject.place ?? ''}`))
  const mayWrite = mayEdit || mayAdd
  const actor: GridActor = useMachineActor(() => ({
    machine: gridEditMachine.provide({
      actors: gridActors(subject.ports ?? gridApiPorts(api, wait, messageText, keeper.newIds)),
    }),
    input: {
      tag,
      query,
      columns,
      mayEdit,
      mayAdd,
      history: readHistory(historyKey),
      kept: mayWrite ? keeper.read() : null,
    },
  }))
  const view = useSelector(actor, gridEditView, sameView)
  const context = useSelector(actor, (s) => s.context)
  const said = useWords(actor, tag, historyKey)
  useQuery(actor, query)
  useKept(actor, keeper, mayWrite)
  useEffect(() => {
    const retry = () => actor.send({ type: 'grid.retry' })
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [actor])
  return { actor, view, context, said }
}

/** Unsaved edits are kept over a reload; those of a closed tab were given up with it. */
function useKept(actor: GridActor, keeper: Keeper, mayWrite: boolean): void {
  const isTabOpen = useTabOpen()
  const { t } = useText()
  const { toast } = useNotice()
  const say = useRef((_n: number) => {})
  say.current = (n) => toast('warning', t('grid.stillKept', { n }), { lasting: true })
  useEffect(() => {
    if (!mayWrite) return undefined
    const release = keeper.hold()
    let last: readonly unknown[] = []
    const keep = (context: SnapshotFrom<typeof gridEditMachine>['context']) => {
      const now = [context.edits, context.edit, context.kept]
      if (now.every((part, i) => part === last[i])) return
      last = now
      keeper.write(keptEdits(context))
    }
    keep(actor.getSnapshot().context)
    const watching = actor.subscribe(({ context }) => keep(context))
    return () => {
      watching.unsubscribe()
      const { unsaved } = gridEditView(actor.getSnapshot())
      if (!isTabOpen()) keeper.write(null)
      else if (unsaved > 0) say.current(unsaved)
      release()
    }
  }, [actor, keeper, mayWrite, isTabOpen])
}

/** Loads the rows again when filters or sorts of the list change. */
function useQuery(actor: GridActor, query: GridQuery): void {
  const last = useRef(JSON.stringify(query))
  useEffect(() => {
    const now = JSON.stringify(query)
    if (now === last.current) return
    last.current = now
    actor.send({ type: 'query.change', query })
  }, [actor, query])
}

/** Events are said in a live region, and those that need attention in a toast too. */
function useWords(actor: GridActor, tag: string, historyKey: string): string {
  const { messageText } = useText()
  const { toast } = useNotice()
  const [said, setSaid] = useState('')
  useEffect(() => {
    const watching = [
      actor.on('said', ({ tone, message }: { tone: string; message: Message | string }) => {
        const text = messageText(message)
        setSaid(text)
        if (tone === 'success' || tone === 'warning' || tone === 'danger')
          toast(tone, text, { lasting: tone !== 'success' })
      }),
      actor.on('history', ({ history }) => keepHistory(historyKey, history)),
      actor.on('stored', () => tellSaved(tag)),
    ]
    return () => watching.forEach((each) => each.unsubscribe())
  }, [actor, tag, historyKey, toast, messageText])
  return said
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

/** Values of rows are personal data: they stay in this tab and go with the session. */
function readHistory(key: string): GridHistory | null {
  try {
    const read = parseJson(sessionStorage.getItem(key) ?? 'null') as GridHistory | null
    return read?.version === 1 && Array.isArray(read.undo) && Array.isArray(read.redo) ? read : null
  } catch {
    return null
  }
}

function keepHistory(key: string, history: GridHistory): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(history))
  } catch {
    // Too large for the storage: it lasts as long as the page.
    sessionStorage.removeItem(key)
  }
}
