import { setImmediate as immediate } from 'node:timers/promises'
import { render } from 'ink-testing-library'
import type { ReactElement } from 'react'
import {
  type Actor,
  type AnyActorRef,
  type AnyStateMachine,
  createActor,
  fromPromise,
} from 'xstate'
import {
  type Driver,
  emitEffect,
  heldCalls,
  type HeldCalls,
  sendEffect,
  type UserStep,
  VirtualClock,
} from '@jiaowu/path-tests'
import { buildSpecInput, type Spec } from '../../machines/spec.ts'
import { toTemplatePattern } from '../sentences.ts'
import { parseFrame } from './frame.ts'
import type { TerminalFault } from './terminal-mutants.ts'

/**
 * Keys as a terminal sends them. Escape in the long form, since Ink holds a bare one back to see
 * what follows.
 */
const codes: Readonly<Record<string, string>> = {
  enter: '\r',
  esc: '\u001b[27u',
  tab: '\t',
  space: ' ',
  '↑': '\u001b[A',
  '↓': '\u001b[B',
  '→': '\u001b[C',
  '←': '\u001b[D',
  pgup: '\u001b[5~',
  pgdn: '\u001b[6~',
}

/** A user at a terminal: presses keys and reads the frame. */
export interface TerminalUser {
  /** The current frame, and its lines. */
  readonly frame: () => string
  readonly lines: () => readonly string[]
  /** Presses keys by name, rendering after each. */
  readonly press: (...keys: readonly string[]) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Whether the frame shows this text by itself: between borders, marks or wide gaps. */
  readonly says: (text: string) => boolean
  /** The key that the screen lists for a label, or null. */
  readonly keyFor: (label: string) => string | null
}

export interface TerminalScreen<Seen> {
  readonly element: (actor: Actor<AnyStateMachine>) => ReactElement
  /**
   * The gesture for a user event; null: the screen offers none. Events of a port, such as
   * `upload.progress`, come from the port.
   */
  readonly gesture: (
    step: UserStep,
    user: TerminalUser,
    actor: Actor<AnyStateMachine>,
  ) => Promise<void> | null
  readonly read: (user: TerminalUser) => Promise<Seen>
}
type Drawn = ReturnType<typeof render>
type AnyPorts = Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>

// Without them Ink starts two processes of `tput` for each frame, to ask for the size of the terminal.
Object.assign(process.env, { COLUMNS: '100', LINES: '24' })

/**
 * Drives an Ink screen through a path: the real components and the real machine on a virtual clock;
 * only its ports are held. Reads frames. `fault` breaks what is rendered or which keys are heard.
 */
export function terminalDriver<Seen>(
  spec: Spec<Seen>,
  screen: TerminalScreen<Seen>,
  fault?: TerminalFault & { look?(drawn: string): void },
): Driver<Seen> {
  const clock = new VirtualClock()
  const held = heldCalls<AnyPorts>()
  let emitted: string[] = []
  let started: (Drawn & { readonly actor: Actor<AnyStateMachine> }) | null = null
  const shown = () => {
    if (started === null) throw new Error('not started')
    return started
  }
  const settle = () => waitForRest(shown().frames)
  const user = createUser(shown, settle, fault)
  return {
    start: async (start) => {
      const actor = createObservedActor(spec, start, { clock, held }, (effect) => {
        emitted.push(effect)
      })
      started = { ...render(screen.element(actor)), actor }
      actor.start()
      await settle()
    },
    user: async (step) => {
      const done = screen.gesture(step, user, shown().actor)
      if (done === null && !step.unhandled && !step.inert)
        throw new Error(`the screen offers no way to ${step.event.type}:\n${user.frame()}`)
      await done
      await settle()
    },
    settle: async (port, outcome) => {
      held.settle(port, outcome)
      await settle()
    },
    // Renders at each tick, reads when all of them are over.
    advance: async (ms) => {
      await clock.advance(ms, () => immediate())
      await settle()
    },
    observe: () => {
      fault?.look?.(shown().lastFrame() ?? '')
      return screen.read(user)
    },
    effects: () => {
      const effects = [...emitted, ...held.started()]
      emitted = []
      return effects
    },
    pending: () => held.pending(),
    picture: () => Promise.resolve({ kind: 'text', data: user.frame() }),
    dispose: async () => {
      started?.unmount()
      started?.cleanup()
      started?.actor.stop()
      await immediate()
    },
  }
}

/** The user of a rendered screen, as far as the fault lets frames and keys through. */
function createUser(
  view: () => Drawn,
  settle: () => Promise<void>,
  fault: TerminalFault | undefined,
): TerminalUser {
  const drawnNow = () => view().lastFrame() ?? ''
  const frame = () => fault?.frame(drawnNow()) ?? drawnNow()
  const hears = (key: string) => fault?.hears(key, drawnNow()) ?? true
  return {
    frame,
    lines: () => parseFrame(frame()).lines,
    press: async (...keys) => {
      for (const key of keys)
        if (hears(key)) {
          view().stdin.write(toKeyCode(key))
          await settle()
        }
    },
    type: async (text) => {
      if (hears('letters')) {
        view().stdin.write(text)
        await settle()
      }
    },
    says: (text) => parseFrame(frame()).says(text),
    keyFor: (label) => buildHintPattern(label).exec(frame())?.[1] ?? null,
  }
}

/**
 * The machine on held ports and a virtual clock, not yet started. `report` receives the effects:
 * events emitted, and events sent to its children.
 */
function createObservedActor<Seen>(
  spec: Spec<Seen>,
  start: string,
  { clock, held }: { readonly clock: VirtualClock; readonly held: HeldCalls<AnyPorts> },
  report: (effect: string) => void,
): Actor<AnyStateMachine> {
  const actors = Object.fromEntries(
    Object.keys(spec.outcomes).map((port) => [
      port,
      fromPromise(
        ({ input, signal }) =>
          held.functions[port]?.(input, signal) ?? Promise.reject(new Error(port)),
      ),
    ]),
  )
  const made: Actor<AnyStateMachine> = createActor(spec.machine.provide({ actors }), {
    input: buildSpecInput(spec, start, clock),
    clock,
    logger: () => {},
    inspect: (inspected) => {
      if (
        inspected.type === '@xstate.event' &&
        inspected.sourceRef === made &&
        inspected.actorRef !== made &&
        !inspected.event.type.startsWith('xstate.')
      )
        report(sendEffect((inspected.actorRef as AnyActorRef).id, inspected.event))
    },
  })
  made.on('*', (event) => {
    report(emitEffect(event))
  })
  return made
}

/** Resolves when promises are done and nothing more is rendered. */
async function waitForRest(frames: readonly string[]): Promise<void> {
  for (let quiet = 0, seen = frames.length; quiet < 3; quiet += 1) {
    await immediate()
    if (frames.length !== seen) {
      seen = frames.length
      quiet = -1
    }
  }
}

const hints = new Map<string, RegExp>()

/** A listed key with this label. */
function buildHintPattern(label: string): RegExp {
  const keys = String.raw`enter|esc|tab|space|pgup|pgdn|[→←↑↓/?[\]A-Z]|\^?[a-z]`
  const hint =
    hints.get(label) ?? new RegExp(`(?:^|\\s)(${keys}) ${toTemplatePattern(label)}(?:\\s|$)`, 'm')
  hints.set(label, hint)
  return hint
}

function toKeyCode(key: string): string {
  return codes[key] ?? (/^\^[a-z]$/.test(key) ? String.fromCharCode(key.charCodeAt(1) - 96) : key)
}
