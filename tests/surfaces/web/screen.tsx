import { BlueprintProvider } from '@blueprintjs/core'
import { ApiProblem } from '@jiaowu/api/problem'
import { createClient } from '@jiaowu/api/client/client'
import type { ReactElement, ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router-dom'
import { AppProvider } from '../../../apps/web/src/shell/provider.tsx'
import { changeSettings } from '../../../apps/web/src/app/settings.ts'
import type { Driver, NamedOutcome, Picture, UserStep } from '@jiaowu/path-tests'
import { Absent, fillGaps, runToRest } from './dom/dom.ts'
import { freezeTime } from './frozen-time.ts'
import {
  wrapData,
  type Asked,
  type HeldFetch,
  heldFetch,
  type PortCall,
  refusedWith,
  type Reply,
} from './http/held-fetch.ts'
import type { Fault } from './surface-mutants.ts'
// Preloaded: what a lazy part loads would come after the screen has come to rest.
import '../../../apps/web/src/styles/more.css'
import '../../../apps/web/src/texts/zh-cn-more.ts'

/** A user's action; a function that it returns runs next, when the screen has come to rest. */
type Gesture = unknown

/** A real part of the console, on which a machine is walked. */
export interface Screen<Seen> {
  /** Renders for this start of the machine; `stop` releases what lives outside React. */
  mount(start: string, held: HeldFetch): { readonly element: ReactElement; stop?(): void }
  /** Null: not a call of the machine; `background` answers it at once. */
  callOf(asked: Asked, start: string): PortCall | null
  background(asked: Asked): Reply
  /** The reply of a call that succeeds; left out: its output in an envelope. */
  reply?(port: string, outcome: NamedOutcome & { readonly ok: true }, asked: Asked): Reply
  /** Calls that end otherwise than by one reply; true when it ended the call itself. */
  end?(held: HeldFetch, port: string, outcome: NamedOutcome): boolean
  user(step: UserStep, held: HeldFetch): Gesture
  read(): Seen
  /** Effects besides calls, since the last call of `takeEffects`. */
  takeEffects?(): string[]
  /** All effects are part of what is read: they are not compared again. */
  readonly readsEffects?: true
}

const person = {
  id: '1',
  account: 'admin',
  name: '甲',
  roles: [],
  mustChangePassword: false,
  tenant: '10000',
  org: null,
}

/** A part of the console inside the real client, router and providers. */
export function inConsole(held: HeldFetch, element: ReactNode): ReactElement {
  const api = createClient({
    baseURL: '/api',
    fetch: held.fetch,
    upload: held.upload,
    locale: () => 'zh-CN',
    authorise: async () => ({ token: 't', account: 'admin', accountId: '1' }),
  })
  return (
    <BlueprintProvider>
      <MemoryRouter>
        <AppProvider
          api={api}
          user={person}
          permissions={['ALL_PERMISSION']}
          hasUnsaved={() => false}
          sendTags={() => {}}
        >
          {element}
        </AppProvider>
      </MemoryRouter>
    </BlueprintProvider>
  )
}

const drawnEvery = 10_000

/**
 * Drives a part of the console through a path: the real components, client and providers in happy-
 * dom. Only `fetch` is held and only time is stopped. `observe` reads the document, never the
 * machine. `fault` breaks the screen on purpose.
 */
export function webDriver<Seen>(screen: Screen<Seen>, fault?: Fault): Driver<Seen> {
  let root: Root | null = null
  let stop: (() => void) | undefined
  let startedAs = ''
  let time: ReturnType<typeof freezeTime> | null = null
  let takeBackGaps: (() => void) | undefined
  const held = heldFetch((asked) => screen.callOf(asked, startedAs), screen.background)
  const broken = fault?.()
  const settled = async <T,>(work: () => T | Promise<T>): Promise<T> => {
    const done = await runToRest(work)
    while (held.isAnswering()) await runToRest(held.answersArrive)
    return done
  }
  return {
    start: async (start) => {
      startedAs = start
      takeBackGaps = fillGaps()
      time = freezeTime()
      localStorage.clear()
      sessionStorage.clear()
      changeSettings({ locale: 'zh-CN' })
      const mounted = screen.mount(start, held)
      stop = mounted.stop
      root = createRoot(document.body.appendChild(document.createElement('div')))
      await settled(() => root?.render(mounted.element))
      broken?.apply()
    },
    user: async (step) => {
      try {
        await doAll(() => screen.user(step, held), settled)
      } catch (error) {
        if (!(error instanceof Absent && step.inert)) throw error
      }
      broken?.apply()
    },
    settle: async (port, outcome) => {
      await settled(() => {
        if (screen.end?.(held, port, outcome) === true) return
        held.settle(port, (asked) =>
          outcome.ok
            ? (screen.reply?.(port, outcome, asked) ?? wrapData(outcome.output))
            : refusedWith(problemIn(outcome)),
        )
      })
      broken?.apply()
    },
    // Renders every ten seconds and at the end, not at every tick of a countdown of minutes.
    advance: async (ms) => {
      for (let left = ms; left > 0; left -= drawnEvery)
        await settled(async () => {
          await time?.advance(Math.min(left, drawnEvery))
        })
      broken?.apply()
    },
    observe: async () => screen.read(),
    ...(screen.readsEffects === true
      ? {}
      : { effects: () => [...held.started(), ...(screen.takeEffects?.() ?? [])] }),
    pending: () => held.pending(),
    picture: pictureOfPage,
    dispose: async () => {
      await settled(() => root?.unmount())
      stop?.()
      broken?.stop()
      time?.thaw()
      document.body.replaceChildren()
      takeBackGaps?.()
    },
  }
}

async function doAll(
  first: () => Gesture,
  settled: (work: () => Gesture) => Promise<Gesture>,
): Promise<void> {
  for (let next: Gesture = await settled(first); typeof next === 'function';)
    next = await settled(next as () => Gesture)
}

function problemIn(outcome: NamedOutcome): ApiProblem {
  if (outcome.ok || !(outcome.error instanceof ApiProblem))
    throw new Error('only ApiProblems can come over the wire')
  return outcome.error
}

/** The page for the report: a screenshot in a real browser, the HTML in happy-dom. */
async function pictureOfPage(): Promise<Picture> {
  const { photograph } = globalThis as { readonly photograph?: () => Promise<string> }
  if (photograph !== undefined) return { kind: 'png', data: await photograph() }
  // Values that were typed or chosen are not part of the markup.
  for (const field of document.querySelectorAll('input')) {
    field.setAttribute('value', field.value)
    field.toggleAttribute('checked', field.checked)
  }
  for (const option of document.querySelectorAll('option'))
    option.toggleAttribute('selected', option.selected)
  return { kind: 'html', data: document.body.innerHTML }
}
