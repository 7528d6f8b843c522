import type { downloadMachine } from '@jiaowu/machines/download/machine'
import { downloadBack, downloadDepth, downloadForward } from '@jiaowu/machines/download/steps'
import { downloadView } from '@jiaowu/machines/download/view'
import { useEffect } from 'react'
import type { ActorRefFrom } from 'xstate'

/**
 * Gives each step of the download its entry in the browser's history. The machine owns the steps: Back and Forward
 * ask it for the step's own way, and the history follows where it went. Entries survive a reload, after which the
 * machine resumes or begins anew.
 */
export function useStepHistory(actor: ActorRefFrom<typeof downloadMachine>): void {
  useEffect(() => {
    /** The entry that a `history.go` of ours is on its way to; null when none is. */
    let heading: number | null = null
    const follow = () => {
      const view = downloadView(actor.getSnapshot())
      if (heading !== null || view.screen === 'ended') return
      const [here, depth] = [entryDepth(history.state), downloadDepth(view)]
      for (let step = here + 1; step <= depth; step += 1)
        history.pushState({ ...history.state, [key]: step }, '')
      if (depth >= here) return
      heading = depth
      history.go(depth - here)
    }
    let last = downloadDepth(downloadView(actor.getSnapshot()))
    const onMoved = (event: PopStateEvent) => {
      const to = entryDepth(event.state)
      if (heading !== null) {
        if (to === heading) heading = null
      } else {
        const view = downloadView(actor.getSnapshot())
        const depth = downloadDepth(view)
        const asked = to < depth ? downloadBack(view) : to > depth ? downloadForward(view) : null
        if (asked !== null) actor.send(asked)
      }
      follow()
    }
    const subscription = actor.subscribe((snapshot) => {
      const depth = downloadDepth(downloadView(snapshot))
      if (depth === last) return
      last = depth
      follow()
    })
    window.addEventListener('popstate', onMoved)
    follow()
    return () => {
      subscription.unsubscribe()
      window.removeEventListener('popstate', onMoved)
    }
  }, [actor])
}

/** In the state of an entry, beside what the router keeps there. */
const key = 'downloadStep'

function entryDepth(state: unknown): number {
  const step: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, key) : undefined
  return typeof step === 'number' ? step : 0
}
