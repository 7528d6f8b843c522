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
import { inputOf, type Spec } from '../../machines/spec.ts'
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
  /** The current frame. */
  readonly frame: () => string
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

// Without them Ink starts two processes of `tput` for each frame, to ask for the size of the terminal.
Object.assign(process.env, { COLUMNS: '100', LINES: '24' })
type AnyPorts = Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>

const escaped = (text: string): string => text.replaceAll(/[()?.+*[\]]/g, String.raw`\$&`)
export const squeezed = (text: string): string => text.replaceAll(/\s+/g, '')
/** A sentence that is wider than the screen continues in the lines below. */
const longest = 4 // lines

function saysIn(frame: string, text: string): boolean {
  const lines = frame.split('\n')
  return lines.some(
    (line, at) =>
      partsOf(line).includes(text) ||
      Array.from({ length: longest }, (_, more) =>
        squeezed(lines.slice(at, at + more + 1).join('')),
      ).includes(squeezed(text)),
  )
}

/** The texts of a frame, one by one: between borders, marks or wide gaps. */
export function partsIn(frame: string): readonly string[] {
  return frame.split('\n').flatMap(partsOf)
}

/** Two to four lines of a frame together. */
export function wrappedIn(frame: string): readonly string[] {
  const lines = frame.split('\n')
  return lines.flatMap((_line, at) =>
    Array.from({ length: longest - 1 }, (_, more) => lines.slice(at, at + more + 2).join('')),
  )
}

function partsOf(line: string): readonly string[] {
  return line.split(/ {2,}|[│╭╮╰╯─]+/).map((part) => part.replace(/^\s*[❯✗·]/, '').trim())
}

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
  let drawn: Drawn | null = null
  let actor: Actor<AnyStateMachine> | null = null
  const view = () => {
    if (drawn === null || actor === null) throw new Error('not started')
    return { ...drawn, actor }
  }
  const settle = () => rest(view().frames)
  const drawnNow = () => view().lastFrame() ?? ''
  const user = createUser(view, settle, fault)
  return {
    start: async (start) => {
      const made = createObservedActor(spec, start, { clock, held }, (effect) => {
        emitted.push(effect)
      })
      actor = made
      drawn = render(screen.element(made))
      made.start()
      await settle()
    },
    user: async (step) => {
      const done = screen.gesture(step, user, view().actor)
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
      fault?.look?.(drawnNow())
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
      drawn?.unmount()
      drawn?.cleanup()
      actor?.stop()
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
    press: async (...keys) => {
      for (const key of keys)
        if (hears(key)) {
          view().stdin.write(codeOf(key))
          await settle()
        }
    },
    type: async (text) => {
      if (hears('letters')) {
        view().stdin.write(text)
        await settle()
      }
    },
    says: (text) => saysIn(frame(), text),
    keyFor: (label) =>
      new RegExp(
        `(?:^|\\s)(enter|esc|tab|space|pgup|pgdn|[→←↑↓]|\\^?[a-z]) ${escaped(label)}(?:\\s|$)`,
        'm',
      ).exec(frame())?.[1] ?? null,
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
    input: inputOf(spec, start, clock),
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
async function rest(frames: readonly string[]): Promise<void> {
  for (let quiet = 0, seen = frames.length; quiet < 3; quiet += 1) {
    await immediate()
    if (frames.length !== seen) {
      seen = frames.length
      quiet = -1
    }
  }
}

function codeOf(key: string): string {
  return codes[key] ?? (/^\^[a-z]$/.test(key) ? String.fromCharCode(key.charCodeAt(1) - 96) : key)
}
